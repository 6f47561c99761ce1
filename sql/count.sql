-- Adds the new rows to the tables of count-tables.sql. If a person or day has a row, its numbers
-- grow, its first time or id stays, and its last one is replaced. max(a, b) is null if one of them is
-- null. Then coalesce takes the other one.

insert into person_totals (
    email, logins, timeline_views, join_clicks, last_login, last_view, first_join, last_join,
    last_seen, first_event, last_event
  )
  select
    email,
    sum(act = 'login'),
    sum(act = 'timeline_view'),
    sum(act = 'join'),
    max(iif(act = 'login', at, null)),
    max(iif(act = 'timeline_view', at, null)),
    min(iif(act = 'join', at, null)),
    max(iif(act = 'join', at, null)),
    max(at),
    min(event),
    max(event)
  from acts group by email
  on conflict do update set
    logins = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    join_clicks = join_clicks + excluded.join_clicks,
    last_login = coalesce(max(last_login, excluded.last_login), last_login, excluded.last_login),
    last_view = coalesce(max(last_view, excluded.last_view), last_view, excluded.last_view),
    first_join = coalesce(min(first_join, excluded.first_join), first_join, excluded.first_join),
    last_join = coalesce(max(last_join, excluded.last_join), last_join, excluded.last_join),
    last_seen = max(last_seen, excluded.last_seen),
    first_event =
      coalesce(min(first_event, excluded.first_event), first_event, excluded.first_event),
    last_event = coalesce(max(last_event, excluded.last_event), last_event, excluded.last_event);

insert into day_totals (day, logins, timeline_views, join_clicks, first_event, last_event)
  select
    at / 86400000 - (at % 86400000 < 0),
    sum(act = 'login'),
    sum(act = 'timeline_view'),
    sum(act = 'join'),
    min(event),
    max(event)
  from acts group by 1
  on conflict do update set
    logins = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    join_clicks = join_clicks + excluded.join_clicks,
    first_event =
      coalesce(min(first_event, excluded.first_event), first_event, excluded.first_event),
    last_event = coalesce(max(last_event, excluded.last_event), last_event, excluded.last_event);

insert into device_totals (device_type, os, browser, events)
  select device_type, os, browser, count(*)
  from events where id > (select event from counted) group by 1, 2, 3
  on conflict do update set
    events = events + excluded.events;

update counted set
  event = ifnull((select max(id) from events), event),
  click = ifnull((select max(id) from project_joins), click);
