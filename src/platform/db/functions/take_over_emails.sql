-- What the version before has scheduled, for as long as its tables stay: what has its outcome, and what is still unsent.
-- Its jobs that wait are taken off the queue; what it is sending at this moment stays for the next call. Rows of its own
-- are deleted, or marked as queued, so that it sends nothing of them.
CREATE OR REPLACE FUNCTION take_over_emails() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  former CONSTANT text[] := ARRAY['mail.edition', 'mail.release_out', 'mail.release_moved', 'mail.release_waitlist', 'mail.purchase_gift'];
  active uuid[] := '{}';
  active_gifts uuid[] := '{}';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('lectern edition mails'));
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    WITH waiting AS (
      DELETE FROM pgboss.job WHERE name = ANY(former) AND state < 'active' RETURNING id, name, data)
    INSERT INTO scheduled_emails (kind, about, version, due_at, mail_id)
      SELECT data ->> 'kind', (data ->> 'purchase_id')::uuid, data ->> 'revision', now(), id
      FROM waiting WHERE name = 'mail.purchase_gift'
      ON CONFLICT DO NOTHING;
    SELECT coalesce(array_agg(id) FILTER (WHERE name <> 'mail.purchase_gift'), '{}'),
        coalesce(array_agg((data ->> 'purchase_id')::uuid) FILTER (WHERE name = 'mail.purchase_gift'), '{}')
      INTO active, active_gifts
      FROM pgboss.job WHERE name = ANY(former) AND state < 'completed';
  END IF;

  WITH taken AS (
    DELETE FROM edition_mails WHERE mail_id IS NULL OR mail_id <> ALL(active) RETURNING *)
  INSERT INTO scheduled_emails (kind, about, user_id, due_at, queued_at, mail_id, outcome, settled_at)
    SELECT 'edition', t.file_id, t.user_id, CASE WHEN a.paused_at IS NULL THEN a.created_at END,
      CASE WHEN t.outcome IS NOT NULL THEN t.queued_at END, t.mail_id, t.outcome,
      CASE WHEN t.outcome IS NOT NULL THEN t.queued_at END
    FROM taken t JOIN edition_announcements a USING (file_id)
    ON CONFLICT DO NOTHING;

  WITH taken AS (
    DELETE FROM release_mails WHERE mail_id IS NULL OR mail_id <> ALL(active) RETURNING *)
  INSERT INTO scheduled_emails (kind, about, user_id, version, due_at, queued_at, mail_id, outcome, settled_at)
    SELECT 'release_' || news, product_id, user_id, release_on::text, now(),
      CASE WHEN outcome IS NOT NULL THEN queued_at END, mail_id, outcome,
      CASE WHEN outcome IS NOT NULL THEN queued_at END
    FROM taken JOIN auth.users u ON u.id = user_id
    ON CONFLICT DO NOTHING;

  WITH released AS (
    UPDATE release_waitlist w SET queued_at = now() FROM products p
    WHERE p.id = w.product_id AND p.release_queued_at IS NOT NULL AND w.confirmed_at IS NOT NULL AND w.email <> ''
      AND w.outcome IS NULL AND (w.queued_at IS NULL OR w.mail_id <> ALL(active))
    RETURNING w.id, w.mail_id)
  INSERT INTO scheduled_emails (kind, about, due_at, mail_id)
    SELECT 'release_waitlist', id, now(), mail_id FROM released
    ON CONFLICT DO NOTHING;
  DELETE FROM release_waitlist WHERE outcome IS NOT NULL;

  INSERT INTO scheduled_emails (kind, about, version, due_at, queued_at, outcome, settled_at)
    SELECT 'gift_to_someone', purchase_id, revision::text, send_at,
      queued_at, CASE WHEN failed_at IS NOT NULL THEN 'failed' WHEN sent_at IS NOT NULL THEN 'sent'
        WHEN queued_at IS NOT NULL THEN 'skipped' END,
      coalesce(failed_at, sent_at, queued_at)
    FROM purchase_gifts WHERE purchase_id IS NOT NULL AND purchase_id <> ALL(active_gifts)
    ON CONFLICT DO NOTHING;
  INSERT INTO scheduled_emails (kind, about, version, due_at)
    SELECT kind, purchase_id, revision::text, sent_at + interval '30 days'
    FROM purchase_gifts, unnest(ARRAY['gift_waiting', 'gift_unopened']) kind
    WHERE purchase_id <> ALL(active_gifts) AND sent_at IS NOT NULL AND opened_at IS NULL AND reminded_at IS NULL
    ON CONFLICT DO NOTHING;
  UPDATE purchase_gifts SET queued_at = coalesce(queued_at, now()), reminded_at = coalesce(reminded_at, now())
    WHERE purchase_id <> ALL(active_gifts) AND (queued_at IS NULL OR reminded_at IS NULL);
END $$;
