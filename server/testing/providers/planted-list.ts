/** What a twin's list shows instead of the truth: for tests of reconciliation. The books themselves stay as they are. */
export interface PlantedList<Row> {
  /** The record is in the books and not on the list. */
  lose(id: string): void;
  /** The list has other figures than the books. */
  change(id: string, fields: Partial<Row>): void;
  /** A record that nobody of ours ordered. */
  add(row: Row): void;
  /** The record stands on the list once more, at its end. */
  repeat(id: string): void;
  /** The list tells the truth again. */
  behave(): void;
  show(rows: readonly Row[]): Row[];
}

export function createPlantedList<Row>(idOf: (row: Row) => string): PlantedList<Row> {
  const lost = new Set<string>();
  const changed = new Map<string, Partial<Row>>();
  const repeated = new Set<string>();
  const strangers: Row[] = [];
  return {
    lose: (id) => void lost.add(id),
    change: (id, fields) => void changed.set(id, { ...changed.get(id), ...fields }),
    add: (row) => void strangers.push(row),
    repeat: (id) => void repeated.add(id),
    behave: () => {
      for (const planted of [lost, changed, repeated]) planted.clear();
      strangers.splice(0);
    },
    show: (rows) => {
      const shown = rows.filter((row) => !lost.has(idOf(row))).map((row) => ({ ...row, ...changed.get(idOf(row)) }));
      return [...shown, ...strangers, ...shown.filter((row) => repeated.has(idOf(row)))];
    },
  };
}
