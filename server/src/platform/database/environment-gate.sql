-- Every writer of an environment shares this lock until its transaction ends. The reset of a sandbox takes it alone
-- and so finds nobody half-way.
create or replace function environment_gate(wanted uuid) returns bigint
  language sql immutable parallel safe
  return hashtextextended('jara.gate/' || wanted::text, 0);
