-- As the last file, for bills.
lock table bills in share row exclusive mode;
