/** Of a program that did what it could without a cell that is away; 1 is for what is wrong. */
export const someCellsAway = 3;
