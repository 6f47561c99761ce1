-- Administrators are guests with a flag. Only the invite tool sets it.

alter table invites add column is_admin integer not null default 0 check (is_admin in (0, 1));
