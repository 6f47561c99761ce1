-- One row for each press of the join button. A person may have several.

create table project_joins (
  id         integer primary key autoincrement,
  email      text not null,
  session_id text not null,
  clicked_at integer not null,
  check (email = lower(trim(email)))
) strict;
