-- Running totals. Triggers keep them in the transaction that adds or deletes a row, also when a row
-- is deleted by hand. So the administrator page and the tools never count a log.

-- All people who are invited or recorded. The invite is copied, so that one table can be sorted and
-- searched. The copy is null if the person is not invited.
create table people (
  id             integer primary key,
  email          text not null unique,
  first_name     text,
  is_admin       integer not null default 0 check (is_admin in (0, 1)),
  invited_by     text,
  invited_at     integer,
  logins         integer not null default 0 check (logins >= 0),
  timeline_views integer not null default 0 check (timeline_views >= 0),
  join_clicks    integer not null default 0 check (join_clicks >= 0),
  last_seen_at   integer, -- of the newest event
  first_join_at  integer,
  last_join_at   integer,
  folded         text, -- the first name without case and accents; null until folded
  invited        integer as (invited_at is not null),
  status         integer as ( -- 0 not yet come, 1 logged in, 2 viewed, 3 joined
    case when join_clicks > 0 then 3 when timeline_views > 0 then 2 else logins > 0 end)
) strict;

create index people_by_last_join on people (last_join_at, email, first_join_at) where join_clicks > 0;

-- day: whole days since 1970-01-01 UTC. All rows of the day have ids from first to last.
create table day_totals (
  day            integer primary key,
  logins         integer not null default 0 check (logins >= 0),
  timeline_views integer not null default 0 check (timeline_views >= 0),
  join_clicks    integer not null default 0 check (join_clicks >= 0),
  first_event    integer,
  last_event     integer,
  first_join     integer,
  last_join      integer
) strict;

create table device_totals (
  device_type text not null,
  os          text not null,
  browser     text not null,
  events      integer not null check (events >= 0),
  primary key (device_type, os, browser)
) strict, without rowid;

-- One row. logged_in, viewed and joined count people on the invite list; joiners counts all.
create table totals (
  id        integer primary key check (id = 1),
  invites   integer not null default 0 check (invites >= 0),
  admins    integer not null default 0 check (admins >= 0),
  logged_in integer not null default 0 check (logged_in >= 0),
  viewed    integer not null default 0 check (viewed >= 0),
  joined    integer not null default 0 check (joined >= 0),
  joiners   integer not null default 0 check (joiners >= 0)
) strict;

insert into totals (id) values (1);

-- Invites

-- `replace` deletes a conflicting row without a trigger, so the copy shows if the person was invited.
create trigger invites_insert after insert on invites begin
  update totals set
    invites = invites + not exists (select 1 from people where email = new.email and invited),
    admins = admins + new.is_admin
      - ifnull((select is_admin from people where email = new.email), 0);
  insert into people (email, first_name, is_admin, invited_by, invited_at)
    values (new.email, new.first_name, new.is_admin, new.invited_by, new.invited_at)
    on conflict (email) do update set
      first_name = excluded.first_name,
      is_admin = excluded.is_admin,
      invited_by = excluded.invited_by,
      invited_at = excluded.invited_at,
      folded = null;
end;

create trigger invites_delete after delete on invites begin
  update people
    set first_name = null, is_admin = 0, invited_by = null, invited_at = null, folded = null
    where email = old.email;
  update totals set invites = invites - 1, admins = admins - old.is_admin;
end;

create trigger invites_update
  after update of first_name, is_admin, invited_by, invited_at on invites
begin
  update people set
    first_name = new.first_name,
    is_admin = new.is_admin,
    invited_by = new.invited_by,
    invited_at = new.invited_at,
    folded = iif(new.first_name is old.first_name, folded, null)
    where email = new.email;
  update totals set admins = admins + new.is_admin - old.is_admin;
end;

create trigger invites_email before update of email on invites when new.email <> old.email begin
  select raise(abort, 'an invite is known by its email: delete it and insert another');
end;

create trigger invites_domain before insert on invites when new.email glob '*@*[^ -~]*' begin
  select raise(abort, 'an invite needs the ASCII form of its domain (xn--…)');
end;

-- Events. Each type has its own trigger, so that a view does not update the columns of a login.

create trigger events_login after insert on events when new.event_type = 'login' begin
  insert into people (email, logins, last_seen_at) values (new.email, 1, new.occurred_at)
    on conflict (email) do update set logins = logins + 1, last_seen_at = excluded.last_seen_at;
  insert into day_totals (day, logins, first_event, last_event)
    values (new.occurred_at / 86400000, 1, new.id, new.id)
    on conflict (day) do update set
      logins = logins + 1,
      first_event = min(ifnull(first_event, new.id), new.id),
      last_event = max(ifnull(last_event, new.id), new.id);
  insert into device_totals values (new.device_type, new.os, new.browser, 1)
    on conflict do update set events = events + 1;
end;

create trigger events_view after insert on events when new.event_type = 'timeline_view' begin
  insert into people (email, timeline_views, last_seen_at) values (new.email, 1, new.occurred_at)
    on conflict (email) do update
    set timeline_views = timeline_views + 1, last_seen_at = excluded.last_seen_at;
  insert into day_totals (day, timeline_views, first_event, last_event)
    values (new.occurred_at / 86400000, 1, new.id, new.id)
    on conflict (day) do update set
      timeline_views = timeline_views + 1,
      first_event = min(ifnull(first_event, new.id), new.id),
      last_event = max(ifnull(last_event, new.id), new.id);
  insert into device_totals values (new.device_type, new.os, new.browser, 1)
    on conflict do update set events = events + 1;
end;

create trigger events_delete after delete on events begin
  update people set
    logins = logins - (old.event_type = 'login'),
    timeline_views = timeline_views - (old.event_type = 'timeline_view'),
    last_seen_at = (
      select occurred_at from events where id = max(
        ifnull((select max(id) from events where email = old.email and event_type = 'login'), 0),
        ifnull((select max(id) from events where email = old.email and event_type = 'timeline_view'), 0)
      )
    )
    where email = old.email;
  update day_totals set
    logins = logins - (old.event_type = 'login'),
    timeline_views = timeline_views - (old.event_type = 'timeline_view')
    where day = old.occurred_at / 86400000;
  update device_totals set events = events - 1
    where device_type = old.device_type and os = old.os and browser = old.browser;
  delete from device_totals
    where device_type = old.device_type and os = old.os and browser = old.browser and events = 0;
end;

create trigger events_update before update on events begin
  select raise(abort, 'an event is never changed, only added or deleted');
end;

-- Join clicks

create trigger project_joins_insert after insert on project_joins begin
  insert into people (email, join_clicks, first_join_at, last_join_at)
    values (new.email, 1, new.clicked_at, new.clicked_at)
    on conflict (email) do update set
      join_clicks = join_clicks + 1,
      first_join_at = ifnull(first_join_at, excluded.first_join_at),
      last_join_at = excluded.last_join_at;
  insert into day_totals (day, join_clicks, first_join, last_join)
    values (new.clicked_at / 86400000, 1, new.id, new.id)
    on conflict (day) do update set
      join_clicks = join_clicks + 1,
      first_join = min(ifnull(first_join, new.id), new.id),
      last_join = max(ifnull(last_join, new.id), new.id);
end;

create trigger project_joins_delete after delete on project_joins begin
  update people set
    join_clicks = join_clicks - 1,
    first_join_at = (select clicked_at from project_joins where email = old.email order by id limit 1),
    last_join_at = (select clicked_at from project_joins where email = old.email order by id desc limit 1)
    where email = old.email;
  update day_totals set join_clicks = join_clicks - 1 where day = old.clicked_at / 86400000;
end;

create trigger project_joins_update before update on project_joins begin
  select raise(abort, 'a join click is never changed, only added or deleted');
end;

-- People: the totals of each stage. A person without an invite and without records is deleted.

create trigger people_insert after insert on people begin
  update totals set
    logged_in = logged_in + (new.invited and new.logins > 0),
    viewed    = viewed    + (new.invited and new.timeline_views > 0),
    joined    = joined    + (new.invited and new.join_clicks > 0),
    joiners   = joiners   + (new.join_clicks > 0);
end;

create trigger people_update after update on people when
  new.invited <> old.invited
  or (new.logins > 0) <> (old.logins > 0)
  or (new.timeline_views > 0) <> (old.timeline_views > 0)
  or (new.join_clicks > 0) <> (old.join_clicks > 0)
begin
  update totals set
    logged_in = logged_in + (new.invited and new.logins > 0) - (old.invited and old.logins > 0),
    viewed    = viewed    + (new.invited and new.timeline_views > 0) - (old.invited and old.timeline_views > 0),
    joined    = joined    + (new.invited and new.join_clicks > 0) - (old.invited and old.join_clicks > 0),
    joiners   = joiners   + (new.join_clicks > 0) - (old.join_clicks > 0);
  delete from people where id = new.id
    and not invited and logins = 0 and timeline_views = 0 and join_clicks = 0;
end;

-- Rows that are already stored are counted once, here.

insert into people (email, first_name, is_admin, invited_by, invited_at,
    logins, timeline_views, join_clicks, last_seen_at, first_join_at, last_join_at)
  select
    email, first_name, ifnull(is_admin, 0), invited_by, invited_at,
    (select count(*) from events where events.email = everybody.email and event_type = 'login'),
    (select count(*) from events where events.email = everybody.email and event_type = 'timeline_view'),
    (select count(*) from project_joins where project_joins.email = everybody.email),
    (select occurred_at from events where id = (select max(id) from events where events.email = everybody.email)),
    (select clicked_at from project_joins where project_joins.email = everybody.email order by id limit 1),
    (select clicked_at from project_joins where project_joins.email = everybody.email order by id desc limit 1)
  from (select email from invites union select email from events union select email from project_joins)
    as everybody left join invites using (email)
  order by invited_at, email;

insert into day_totals
  select day, sum(logins), sum(timeline_views), sum(join_clicks),
    min(event), max(event), min(click), max(click)
  from (
    select occurred_at / 86400000 as day, event_type = 'login' as logins,
      event_type = 'timeline_view' as timeline_views, 0 as join_clicks,
      id as event, null as click from events
    union all
    select clicked_at / 86400000, 0, 0, 1, null, id from project_joins
  ) group by day;

insert into device_totals
  select device_type, os, browser, count(*) from events group by device_type, os, browser;

update totals set
  invites = (select count(*) from invites),
  admins = (select count(*) from invites where is_admin = 1);
