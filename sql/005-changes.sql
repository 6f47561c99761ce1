-- Who changed the invite list and people's data. An erasure replaces an address by "erased".

create table changes (
  id     integer primary key autoincrement,
  at     integer not null,
  author text not null, -- the administrator's address, or the user of the system
  via    text not null check (via in ('page', 'cli')),
  what   text not null,
  email  text,
  detail text
) strict;

create index changes_by_email on changes (email);
create index changes_by_author on changes (author);
