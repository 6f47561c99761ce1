-- The invite list, and the sessions of people who are logged in.

create table invites (
  email      text primary key,
  first_name text,
  invited_by text not null,
  invited_at integer not null,
  check (email = lower(trim(email)) and email like '%_@_%._%' and length(email) <= 254),
  check (first_name is null or length(first_name) between 1 and 100)
) strict;

create index invites_by_time on invites (invited_at, email);

-- The id is public: logs and pages show it. Of the secret, only the SHA-256 is stored.
create table sessions (
  id          text primary key,
  email       text not null,
  secret_hash blob not null,
  created_at  integer not null,
  expires_at  integer not null,
  check (email = lower(trim(email)))
) strict;

create index sessions_by_email on sessions (email);
create index sessions_by_expiry on sessions (expires_at);
