-- Counts the rows behind the last counted ids (sql/temporary-tables.sql). A day is rounded down, also before 1970.

insert into people (email, logins, timeline_views, last_login_at, last_view_at, last_seen_at)
  select email, sum(event_type = 'login'), sum(event_type = 'timeline_view'),
    max(iif(event_type = 'login', occurred_at, null)),
    max(iif(event_type = 'timeline_view', occurred_at, null)), max(occurred_at)
  from events where id > (select last_event from counted) group by email
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    last_login_at  = max(ifnull(last_login_at, excluded.last_login_at),
      ifnull(excluded.last_login_at, last_login_at)),
    last_view_at   = max(ifnull(last_view_at, excluded.last_view_at),
      ifnull(excluded.last_view_at, last_view_at)),
    last_seen_at   = max(last_seen_at, excluded.last_seen_at);

-- The plus keeps SQLite from reading all rows by the index of addresses.
insert into people (email, join_clicks, first_join_at, last_join_at, last_seen_at)
  select email, count(*), min(clicked_at), max(clicked_at), max(clicked_at)
  from project_joins where id > (select last_join from counted) group by +email
  on conflict do update set
    join_clicks   = join_clicks + excluded.join_clicks,
    first_join_at = min(ifnull(first_join_at, excluded.first_join_at), excluded.first_join_at),
    last_join_at  = max(ifnull(last_join_at, excluded.last_join_at), excluded.last_join_at),
    last_seen_at  = max(last_seen_at, excluded.last_seen_at);

insert into days (day, logins, timeline_views, first_event, last_event)
  select occurred_at / 86400000 - (occurred_at % 86400000 < 0), sum(event_type = 'login'),
    sum(event_type = 'timeline_view'), min(id), max(id)
  from events where id > (select last_event from counted) group by 1
  on conflict do update set
    logins         = logins + excluded.logins,
    timeline_views = timeline_views + excluded.timeline_views,
    first_event    = min(ifnull(first_event, excluded.first_event), excluded.first_event),
    last_event     = max(ifnull(last_event, excluded.last_event), excluded.last_event);

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
  last_join  = ifnull((select max(id) from project_joins), last_join);
