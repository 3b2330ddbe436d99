-- Whoever moves payouts by the function from before the last file is waited for; from now on every move is counted. It
-- is a file of its own, because the lock is given back with its commit. Payouts and bills have a file each: whoever
-- waits for one table and holds the other can meet somebody who does it the other way round.
lock table transfers in share row exclusive mode;
