-- Logins and timeline views, with the device that the User-Agent names. There is no index, because
-- it would make each view's insert two to three times as expensive.

create table events (
  id          integer primary key autoincrement,
  event_type  text not null,
  email       text not null,
  occurred_at integer not null,
  session_id  text not null,
  device_type text not null,
  os          text not null,
  browser     text not null,
  meta        text, -- {"view":"mobile" or "desktop","forced":true or false}
  check (event_type = 'login' and meta is null
    or event_type = 'timeline_view' and json_valid(meta) and meta is not null)
) strict;
