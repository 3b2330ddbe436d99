-- Whoever moves records by the functions from before the last file is waited for; from now on every move is counted. It
-- is a file of its own, because the locks are given back with its commit, and the next one takes long.
lock table transfers, bills in share row exclusive mode;
