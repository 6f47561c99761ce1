-- Totals are counted from the logs, in sets (lib/store/rows/counting.ts), instead of by a trigger at
-- each insert. Triggers only subtract deleted rows.

-- Of a store of 1.1.0.
drop trigger if exists invites_insert;
drop trigger if exists invites_delete;
drop trigger if exists invites_update;
drop trigger if exists events_login;
drop trigger if exists events_view;
drop trigger if exists events_delete;
drop trigger if exists project_joins_insert;
drop trigger if exists project_joins_delete;
drop index if exists events_by_person;
drop index if exists events_by_type;
drop index if exists project_joins_by_email;
drop table if exists people;
drop table if exists day_totals;
drop table if exists device_totals;
drop table if exists totals;

-- A view changes neither index.
create index logins on events (event_type) where event_type = 'login';
create index logins_by_person on events (email) where event_type = 'login';

-- The last counted id of each log. Later rows are in no total yet.
create table counted (
  log     text primary key check (log in ('events', 'project_joins')),
  through integer not null
) strict, without rowid;

insert into counted values ('events', 0), ('project_joins', 0);

-- All people who are invited or counted. A search reads only this copy of the invite, which is null
-- without one.
create table people (
  id         integer primary key,
  email      text not null unique,
  first_name text,
  is_admin   integer not null default 0 check (is_admin in (0, 1)),
  invited_by text,
  invited_at integer,
  folded     text -- the first name without case and accents; null until folded
) strict;

-- Covers a search.
create index people_by_invite on people (invited_at, id, email, folded, first_name);

-- All-time totals of each person. A list sorted by one of them reads no wider table.
create table activity (
  person         integer primary key,
  invited        integer not null default 0 check (invited in (0, 1)),
  logins         integer not null default 0 check (logins >= 0),
  timeline_views integer not null default 0 check (timeline_views >= 0),
  join_clicks    integer not null default 0 check (join_clicks >= 0),
  last_login_day integer, -- the latest day in person_days with a login
  last_view_day  integer,
  last_join_day  integer,
  last_seen_at   integer, -- of the newest event
  first_join_at  integer,
  last_join_at   integer,
  status         integer as ( -- 1 logged in, 2 viewed, 3 joined
    case when join_clicks > 0 then 3 when timeline_views > 0 then 2 else logins > 0 end)
) strict;

create index activity_by_first_join on activity (first_join_at) where join_clicks > 0;
create index activity_by_last_join on activity (last_join_at) where join_clicks > 0;

-- By day first, so that the people of one day are on few pages. day: whole days since 1970-01-01 UTC.
create table person_days (
  day            integer,
  person         integer,
  logins         integer not null default 0 check (logins >= 0),
  timeline_views integer not null default 0 check (timeline_views >= 0),
  join_clicks    integer not null default 0 check (join_clicks >= 0),
  last_seen_at   integer, -- the latest event of the day
  primary key (day, person)
) strict, without rowid;

-- The events of each person, in blocks of 16,384 ids, so that the newest events of all people lie on
-- few pages.
create table person_events (
  block  integer,
  person integer,
  event  integer,
  primary key (block, person, event)
) strict, without rowid;

create table event_blocks (block integer primary key) strict;

create table person_clicks (
  person integer,
  click  integer,
  primary key (person, click)
) strict, without rowid;

-- All rows of a day have ids from first to last.
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

insert into totals (id, invites, admins) select 1, count(*), ifnull(sum(is_admin), 0) from invites;

insert into people (email, first_name, is_admin, invited_by, invited_at)
  select email, first_name, is_admin, invited_by, invited_at from invites order by invited_at, email;

insert into activity (person, invited) select id, 1 from people;

-- Invites

-- `replace` deletes a conflicting row without a trigger, so the copy shows if the person was invited.
create trigger invites_insert after insert on invites begin
  update totals set
    invites = invites + not exists (select 1 from people where email = new.email and invited_at is not null),
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
  insert into activity (person, invited) select id, 1 from people where email = new.email
    on conflict do update set invited = 1;
end;

create trigger invites_delete after delete on invites begin
  update people
    set first_name = null, is_admin = 0, invited_by = null, invited_at = null, folded = null
    where email = old.email;
  update activity set invited = 0 where person = (select id from people where email = old.email);
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

-- Activity: the totals of each stage

create trigger activity_insert after insert on activity begin
  update totals set joiners = joiners + (new.join_clicks > 0);
end;

-- A person without an invite and without counted rows is deleted.
create trigger activity_update after update on activity when
  new.invited <> old.invited
  or (new.logins > 0) <> (old.logins > 0)
  or (new.timeline_views > 0) <> (old.timeline_views > 0)
  or (new.join_clicks > 0) <> (old.join_clicks > 0)
begin
  update totals set
    logged_in = logged_in + (new.invited and new.logins > 0) - (old.invited and old.logins > 0),
    viewed    = viewed    + (new.invited and new.timeline_views > 0)
                          - (old.invited and old.timeline_views > 0),
    joined    = joined    + (new.invited and new.join_clicks > 0)
                          - (old.invited and old.join_clicks > 0),
    joiners   = joiners   + (new.join_clicks > 0) - (old.join_clicks > 0);
  delete from people where new.status = 0 and not new.invited and id = new.person;
  delete from activity where new.status = 0 and not new.invited and person = new.person;
end;

-- Deletions from the logs. Uncounted rows are not subtracted.

create trigger events_delete after delete on events
  when old.id <= (select through from counted where log = 'events')
begin
  delete from person_events where block = old.id >> 14 and event = old.id
    and person = (select id from people where email = old.email);
  update person_days set
    logins = logins - (old.event_type = 'login'),
    timeline_views = timeline_views - (old.event_type = 'timeline_view'),
    last_seen_at = iif(last_seen_at > old.occurred_at, last_seen_at, (
      select max(occurred_at) from day_totals as d, person_events as e, events
        where d.day = person_days.day and e.person = person_days.person
          and e.block in (select block from event_blocks
            where block between d.first_event >> 14 and d.last_event >> 14)
          and events.id = e.event and occurred_at / 86400000 = d.day))
    where day = old.occurred_at / 86400000
      and person = (select id from people where email = old.email);
  delete from person_days where day = old.occurred_at / 86400000
    and person = (select id from people where email = old.email)
    and logins = 0 and timeline_views = 0 and join_clicks = 0;
  update day_totals set
    logins = logins - (old.event_type = 'login'),
    timeline_views = timeline_views - (old.event_type = 'timeline_view')
    where day = old.occurred_at / 86400000;
  update device_totals set events = events - 1
    where device_type = old.device_type and os = old.os and browser = old.browser;
  delete from device_totals
    where device_type = old.device_type and os = old.os and browser = old.browser and events = 0;
  -- Last, because it may delete the person.
  update activity set
    logins = logins - (old.event_type = 'login'),
    timeline_views = timeline_views - (old.event_type = 'timeline_view'),
    last_login_day = (
      select d.day from day_totals as d cross join person_days as p using (day)
        where d.day <= last_login_day and p.person = activity.person and p.logins > 0
        order by d.day desc limit 1),
    last_view_day = (
      select d.day from day_totals as d cross join person_days as p using (day)
        where d.day <= last_view_day and p.person = activity.person and p.timeline_views > 0
        order by d.day desc limit 1),
    last_seen_at = iif(last_seen_at <> old.occurred_at, last_seen_at, (
      select occurred_at from event_blocks as b cross join person_events as e using (block)
        cross join events on events.id = e.event
        where e.person = activity.person order by b.block desc, e.event desc limit 1))
    where person = (select id from people where email = old.email);
  -- Ids begin again where a program has deleted all rows and the row in sqlite_sequence.
  update counted set through = ifnull((select max(id) from events where id < old.id), 0)
    where log = 'events' and through = old.id;
end;

create trigger project_joins_delete after delete on project_joins
  when old.id <= (select through from counted where log = 'project_joins')
begin
  delete from person_clicks where click = old.id
    and person = (select id from people where email = old.email);
  update person_days set join_clicks = join_clicks - 1 where day = old.clicked_at / 86400000
    and person = (select id from people where email = old.email);
  delete from person_days where day = old.clicked_at / 86400000
    and person = (select id from people where email = old.email)
    and logins = 0 and timeline_views = 0 and join_clicks = 0;
  update day_totals set join_clicks = join_clicks - 1 where day = old.clicked_at / 86400000;
  update activity set
    join_clicks = join_clicks - 1,
    last_join_day = (
      select d.day from day_totals as d cross join person_days as p using (day)
        where d.day <= last_join_day and p.person = activity.person and p.join_clicks > 0
        order by d.day desc limit 1),
    first_join_at = (select clicked_at from project_joins where id = (
      select min(click) from person_clicks where person = activity.person)),
    last_join_at = (select clicked_at from project_joins where id = (
      select max(click) from person_clicks where person = activity.person))
    where person = (select id from people where email = old.email);
  update counted set through = ifnull((select max(id) from project_joins where id < old.id), 0)
    where log = 'project_joins' and through = old.id;
end;
