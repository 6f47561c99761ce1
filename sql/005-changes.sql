-- Who changed the invite list and what is kept about people. Rows are only added. An erasure replaces
-- an address by "erased".

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

create trigger changes_update before update on changes
when (new.id, new.at, new.via, new.what, new.detail) is not (old.id, old.at, old.via, old.what, old.detail)
  or new.email is not old.email and (old.email is null or new.email is not 'erased')
  or new.author not in (old.author, 'erased')
begin
  select raise(abort, 'a change is never rewritten, only erased');
end;

create trigger changes_delete before delete on changes begin
  select raise(abort, 'a change is never deleted');
end;
