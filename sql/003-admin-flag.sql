-- Administrators are invitees with a flag. Only the invite tool sets it.

alter table invites add column is_admin integer not null default 0 check (is_admin in (0, 1));

create index invites_admins on invites (email) where is_admin = 1;
