-- A bill is written three times: when it is accepted, taken up and ended. With room on its own page for the two later
-- versions, one page is written to the log instead of two. What is stored already stays as it is.
alter table bills set (fillfactor = 55);
