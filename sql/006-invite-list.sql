-- What the invite list is sorted and filtered by, kept with each person so that one index serves
-- each column: a copy of the invite, how far the person has come, and two coarse ranks.

alter table people add column first_name text not null default '' collate nocase;
alter table people add column is_admin integer not null default 0;
alter table people add column invited_by text not null default '';
alter table people add column invited_at integer not null default 0;

-- null where not invited; 0 not yet come, 1 logged in, 2 viewed, 3 joined.
alter table people add column status integer check (status between 0 and 3);

-- A view changes timeline_views and last_seen_at, so an index on them would be rewritten at each
-- view. These stand in for them in an index: they rise with them, but seldom.
alter table people add column views_rank integer not null default 0;
alter table people add column seen_hour integer not null default 0;

-- Copies of the invite

drop trigger invites_insert;

create trigger invites_insert after insert on invites begin
  insert into people (email, invited, first_name, is_admin, invited_by, invited_at)
    values (new.email, 1, ifnull(new.first_name, ''), new.is_admin, new.invited_by, new.invited_at)
    on conflict (email) do update set
      invited = 1,
      first_name = excluded.first_name,
      is_admin = excluded.is_admin,
      invited_by = excluded.invited_by,
      invited_at = excluded.invited_at;
  update totals set invites = invites + 1, admins = admins + new.is_admin;
end;

drop trigger invites_delete;

create trigger invites_delete after delete on invites begin
  update people set invited = 0, first_name = '', is_admin = 0, invited_by = '', invited_at = 0
    where email = old.email;
  update totals set invites = invites - 1, admins = admins - old.is_admin;
end;

create trigger invites_update
  after update of first_name, is_admin, invited_by, invited_at on invites
begin
  update people set
    first_name = ifnull(new.first_name, ''),
    is_admin = new.is_admin,
    invited_by = new.invited_by,
    invited_at = new.invited_at
    where email = new.email;
end;

-- Status and ranks. For nearly every view of somebody who views much the condition is false, and no
-- index is touched. Each is set alone, because SQLite rewrites every index that names a column which
-- is set, and the status is named by all.

create trigger people_standing
  after update of invited, logins, timeline_views, join_clicks, last_seen_at on people
  when new.seen_hour <> ifnull(new.last_seen_at, 0) / 3600000
    or new.views_rank <> min(new.timeline_views, 1000 + new.timeline_views / 1000)
    or new.status is not case
      when not new.invited then null
      when new.join_clicks > 0 then 3
      when new.timeline_views > 0 then 2
      else new.logins > 0
    end
begin
  update people set seen_hour = ifnull(new.last_seen_at, 0) / 3600000
    where id = new.id and seen_hour <> ifnull(new.last_seen_at, 0) / 3600000;
  update people set views_rank = min(new.timeline_views, 1000 + new.timeline_views / 1000)
    where id = new.id
      and views_rank <> min(new.timeline_views, 1000 + new.timeline_views / 1000);
  update people set
    status = case
      when not invited then null
      when join_clicks > 0 then 3
      when timeline_views > 0 then 2
      else logins > 0
    end
    where id = new.id and status is not case
      when not invited then null
      when join_clicks > 0 then 3
      when timeline_views > 0 then 2
      else logins > 0
    end;
end;

create trigger people_first_standing after insert on people begin
  update people set invited = invited where id = new.id;
end;

-- The text filter: any three letters in a row of an address or a first name. Secure-delete takes
-- the letters out of the index at once when somebody is erased.

create virtual table people_text using fts5 (
  email, first_name, content = 'people', content_rowid = 'id', tokenize = 'trigram'
);

insert into people_text (people_text, rank) values ('secure-delete', 1);

create trigger people_text_insert after insert on people begin
  insert into people_text (rowid, email, first_name) values (new.id, new.email, new.first_name);
end;

create trigger people_text_update after update of email, first_name on people begin
  insert into people_text (people_text, rowid, email, first_name)
    values ('delete', old.id, old.email, old.first_name);
  insert into people_text (rowid, email, first_name) values (new.id, new.email, new.first_name);
end;

create trigger people_text_delete after delete on people begin
  insert into people_text (people_text, rowid, email, first_name)
    values ('delete', old.id, old.email, old.first_name);
end;

-- What is already stored; the trigger above takes the names into the text index.

insert into people_text (people_text) values ('rebuild');

update people set
  first_name = ifnull(invites.first_name, ''),
  is_admin = invites.is_admin,
  invited_by = invites.invited_by,
  invited_at = invites.invited_at
  from invites where invites.email = people.email;

update people set invited = invited;

-- A list of everybody invited is the four statuses merged, so that each index serves both that and
-- a list of one status.

create index people_by_email on people (status, email);
create index people_by_first_name on people (status, first_name, email);
create index people_by_inviter on people (status, invited_by, email);
create index people_by_invitation on people (status, invited_at, email);
create index people_by_logins on people (status, logins, email);
create index people_by_views on people (status, views_rank, email);
create index people_by_clicks on people (status, join_clicks, email);
create index people_by_last_seen on people (status, seen_hour, email);
