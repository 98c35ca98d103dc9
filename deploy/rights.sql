-- The rights of the servers. The owner of the tables runs this after every migration (docs/how-to/deploy-two-servers.md).
-- This role changes or deletes nothing of a ledger, a result or the audit log.
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM :"app";
GRANT SELECT ON ALL TABLES IN SCHEMA public TO :"app";
GRANT INSERT ON budgets, lines, answers, seals, acts, requests, datasets, declarations, versions, errata, people, links, sessions, attempts, motions, devices, refusals, looks, remarks, revisions, readings, couriers, credentials, substitutes, mailboxes, tongues, letterhead, connections, drafts, factor_steps, withdrawn TO :"app";
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO :"app";
-- PostgreSQL locks a row only for those who may update a column; a trigger refuses the update itself.
GRANT UPDATE (id) ON budgets TO :"app";
GRANT UPDATE (state, decided_by, decided, reason, checklist) ON requests TO :"app";
GRANT UPDATE (state, published, policy, content) ON datasets TO :"app";
GRANT UPDATE (name, password, roles, active, factor) ON people TO :"app";
GRANT UPDATE (step) ON factor_steps TO :"app";
GRANT UPDATE (used) ON links TO :"app";
GRANT UPDATE (seen) ON sessions TO :"app";
GRANT UPDATE (used) ON credentials TO :"app";
GRANT UPDATE (times) ON refusals TO :"app";
GRANT UPDATE (seq, tries, after) ON couriers TO :"app";
GRANT UPDATE (mark, wants, daily, code, code_until, guesses, codes, day, seq, tries, after) ON mailboxes TO :"app";
GRANT UPDATE (body) ON letterhead TO :"app";
GRANT UPDATE (content, officers, state) ON connections TO :"app";
GRANT DELETE ON links, sessions, attempts, motions, devices, refusals, looks, readings, credentials, substitutes, mailboxes, tongues, drafts TO :"app";
-- Withdrawn registrations are deleted: triggers refuse this for all others.
GRANT DELETE ON datasets, declarations, versions, errata TO :"app";
