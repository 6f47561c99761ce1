-- Renames addresses in a store of 1.1.0 or 2.0.0, while it has no trigger (lib/store/migrate.ts).
-- Lower-casing "İ" leaves an "i" with U+0307, which nobody types.

update or ignore invites set email = replace(email, 'i̇', 'i') where email like '%i̇%';
update invites set invited_by = replace(invited_by, 'i̇', 'i') where invited_by like '%i̇%';
update sessions set email = replace(email, 'i̇', 'i') where email like '%i̇%';
update project_joins set email = replace(email, 'i̇', 'i') where email like '%i̇%';
update events set email = replace(email, 'i̇', 'i') where email like '%i̇%';
update changes set email = replace(email, 'i̇', 'i') where email like '%i̇%';
update changes set author = replace(author, 'i̇', 'i') where author like '%i̇%';
