-- When the person of a session last proved to be it, after signing in. Money that moves by hand asks for a fresh proof.
alter table person_sessions add column proven_at timestamptz;
