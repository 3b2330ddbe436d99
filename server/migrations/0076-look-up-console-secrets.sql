-- A starting server looks at a sample of every sealed column, to see that its master key fits. It does so as the
-- look-up role, which sees every environment's rows.
create policy lookup on console_secrets to jara_lookup using (true) with check (true);
grant select on console_secrets to jara_lookup;
