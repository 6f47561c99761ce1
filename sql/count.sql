-- Counts the logs into temporary tables of a connection (lib/store/counting.ts), whose names no table
-- of the store has. A day is a number of days since 1970-01-01 UTC, rounded down.

-- Everybody in the logs, with totals of all time. status: 1 logged in, 2 viewed, 3 joined.
create temp table people (
  email text primary key,
  logins integer not null default 0, timeline_views integer not null default 0,
  join_clicks integer not null default 0,
  last_login_at integer, last_view_at integer, first_join_at integer, last_join_at integer,
  last_seen_at integer not null,
  status integer as (iif(join_clicks > 0, 3, iif(timeline_views > 0, 2, 1)))
) strict, without rowid;

-- All events of a day have ids from first_event to last_event.
create temp table days (
  day integer primary key,
  logins integer not null default 0, timeline_views integer not null default 0,
  join_clicks integer not null default 0,
  first_event integer, last_event integer
) strict;

create temp table devices (
  device_type text, os text, browser text, events integer not null,
  primary key (device_type, os, browser)
) strict, without rowid;

-- The last counted id of each log, and the number of deletions when the rows were last counted. -1 is
-- never that number, so the first count begins at the beginning.
create temp table counted as select null as last_event, null as last_join, -1 as deletions;

insert into people (email, logins, timeline_views, last_login_at, last_view_at, last_seen_at)
  select email, sum(event_type = 'login'), sum(event_type = 'timeline_view'),
    max(iif(event_type = 'login', occurred_at, null)),
    max(iif(event_type = 'timeline_view', occurred_at, null)), max(occurred_at)
  from events where id > (select last_event from counted) group by email
  on conflict do update set
    logins = logins + excluded.logins, timeline_views = timeline_views + excluded.timeline_views,
    last_login_at = max(ifnull(last_login_at, excluded.last_login_at),
      ifnull(excluded.last_login_at, last_login_at)),
    last_view_at = max(ifnull(last_view_at, excluded.last_view_at),
      ifnull(excluded.last_view_at, last_view_at)),
    last_seen_at = max(last_seen_at, excluded.last_seen_at);

-- The plus keeps SQLite from reading all rows by the index of addresses.
insert into people (email, join_clicks, first_join_at, last_join_at, last_seen_at)
  select email, count(*), min(clicked_at), max(clicked_at), max(clicked_at)
  from project_joins where id > (select last_join from counted) group by +email
  on conflict do update set
    join_clicks = join_clicks + excluded.join_clicks,
    first_join_at = min(ifnull(first_join_at, excluded.first_join_at), excluded.first_join_at),
    last_join_at = max(ifnull(last_join_at, excluded.last_join_at), excluded.last_join_at),
    last_seen_at = max(last_seen_at, excluded.last_seen_at);

insert into days (day, logins, timeline_views, first_event, last_event)
  select occurred_at / 86400000 - (occurred_at % 86400000 < 0), sum(event_type = 'login'),
    sum(event_type = 'timeline_view'), min(id), max(id)
  from events where id > (select last_event from counted) group by 1
  on conflict do update set
    logins = logins + excluded.logins, timeline_views = timeline_views + excluded.timeline_views,
    first_event = min(ifnull(first_event, excluded.first_event), excluded.first_event),
    last_event = max(ifnull(last_event, excluded.last_event), excluded.last_event);

insert into days (day, join_clicks)
  select clicked_at / 86400000 - (clicked_at % 86400000 < 0), count(*)
  from project_joins where id > (select last_join from counted) group by 1
  on conflict do update set join_clicks = join_clicks + excluded.join_clicks;

insert into devices
  select device_type, os, browser, count(*)
  from events where id > (select last_event from counted) group by 1, 2, 3
  on conflict do update set events = events + excluded.events;

update counted set
  last_event = ifnull((select max(id) from events), last_event),
  last_join = ifnull((select max(id) from project_joins), last_join);
