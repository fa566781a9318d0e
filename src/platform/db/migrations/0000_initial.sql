-- The whole schema, grouped by feature: each table with its indexes, functions and triggers.
-- The sums that triggers maintain stand under reports; docs/decisions/0005-one-ledger-of-sums.md has their rules.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE SCHEMA auth;
--> statement-breakpoint
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint

-- Accounts: users, sessions, second factors, mailed links; profiles and roles.

CREATE TABLE auth.users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  password_hash text,
  email_confirmed_at timestamptz,
  user_metadata jsonb NOT NULL DEFAULT '{}',
  banned_until timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  new_email text,
  new_email_asked_at timestamptz
);
--> statement-breakpoint
CREATE UNIQUE INDEX users_email ON auth.users (lower(email));
--> statement-breakpoint

CREATE TABLE auth.sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT sessions_user_id_users_id_fk REFERENCES auth.users(id) ON DELETE CASCADE,
  counter bigint NOT NULL DEFAULT 0,
  salt bytea NOT NULL,
  aal text NOT NULL DEFAULT 'aal1',
  amr jsonb NOT NULL DEFAULT '[]',
  ip text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  refreshed_at timestamptz NOT NULL DEFAULT now(),
  not_after timestamptz NOT NULL,
  revoked_at timestamptz,
  revoked_reason text,
  proved_at timestamptz NOT NULL,
  factor_proved_at timestamptz
);
--> statement-breakpoint
CREATE INDEX sessions_of_user ON auth.sessions (user_id);
--> statement-breakpoint

CREATE TABLE auth.known_devices (
  user_id uuid NOT NULL
    CONSTRAINT known_devices_user_id_users_id_fk REFERENCES auth.users(id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT known_devices_user_id_hash_pk PRIMARY KEY (user_id, hash)
);
--> statement-breakpoint

CREATE TABLE auth.pending_sign_ups (
  id uuid PRIMARY KEY,
  password_hash text NOT NULL,
  user_metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint

CREATE TABLE auth.one_time_tokens (
  hash bytea PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT one_time_tokens_user_id_users_id_fk REFERENCES auth.users(id) ON DELETE CASCADE,
  type text NOT NULL,
  email text NOT NULL,
  password_hash text,
  user_metadata jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
--> statement-breakpoint
CREATE INDEX one_time_tokens_of_user ON auth.one_time_tokens (user_id, type);
--> statement-breakpoint

CREATE TABLE auth.mfa_factors (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT mfa_factors_user_id_users_id_fk REFERENCES auth.users(id) ON DELETE CASCADE,
  friendly_name text,
  factor_type text NOT NULL DEFAULT 'totp',
  status text NOT NULL DEFAULT 'unverified',
  secret bytea NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX mfa_factors_of_user ON auth.mfa_factors (user_id);
--> statement-breakpoint

CREATE TABLE auth.mfa_challenges (
  id uuid PRIMARY KEY,
  factor_id uuid NOT NULL
    CONSTRAINT mfa_challenges_factor_id_mfa_factors_id_fk REFERENCES auth.mfa_factors(id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  session_id uuid NOT NULL
    CONSTRAINT mfa_challenges_session_id_sessions_id_fk REFERENCES auth.sessions(id) ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX mfa_challenges_of_factor ON auth.mfa_challenges (factor_id);
--> statement-breakpoint
CREATE INDEX mfa_challenges_of_session ON auth.mfa_challenges (session_id);
--> statement-breakpoint

CREATE TABLE auth.wrong_codes (
  user_id uuid NOT NULL
    CONSTRAINT wrong_codes_user_id_users_id_fk REFERENCES auth.users(id) ON DELETE CASCADE,
  aal text NOT NULL,
  device bytea NOT NULL,
  count integer NOT NULL,
  last_at timestamptz NOT NULL,
  CONSTRAINT wrong_codes_user_id_aal_device_pk PRIMARY KEY (user_id, aal, device)
);
--> statement-breakpoint

CREATE TABLE auth.signing_keys (
  kid text PRIMARY KEY,
  public_jwk jsonb NOT NULL,
  private_jwk bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint

CREATE TABLE auth.secret_fingerprint (
  is_only boolean PRIMARY KEY DEFAULT true,
  fingerprint bytea NOT NULL,
  set_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT secret_fingerprint_is_only_check CHECK (is_only)
);
--> statement-breakpoint

CREATE TABLE auth.audit_log (
  id uuid PRIMARY KEY,
  user_id uuid,
  event text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  ip text,
  created_at timestamptz NOT NULL DEFAULT now(),
  email text,
  attempts integer NOT NULL DEFAULT 1,
  bucket text CONSTRAINT audit_log_bucket_unique UNIQUE
);
--> statement-breakpoint
CREATE INDEX audit_log_newest ON auth.audit_log (created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX audit_log_of_user ON auth.audit_log (user_id, created_at DESC NULLS LAST);
--> statement-breakpoint

CREATE TABLE profiles (
  user_id uuid PRIMARY KEY,
  email text NOT NULL,
  display_name text,
  created_at timestamptz NOT NULL DEFAULT now(),
  top_role text NOT NULL DEFAULT 'user'
);
--> statement-breakpoint
CREATE INDEX profiles_by_name ON profiles (lower(coalesce(display_name, email)), user_id);
--> statement-breakpoint
CREATE INDEX profiles_by_role ON profiles (top_role, user_id);
--> statement-breakpoint
CREATE INDEX profiles_newest ON profiles (created_at DESC, user_id DESC);
--> statement-breakpoint
CREATE INDEX profiles_search ON profiles USING gin ((email || ' ' || coalesce(display_name, '')) gin_trgm_ops);
--> statement-breakpoint

CREATE TABLE user_roles (
  user_id uuid NOT NULL
    CONSTRAINT user_roles_user_id_profiles_user_id_fk REFERENCES profiles(user_id) ON DELETE CASCADE,
  role text NOT NULL,
  CONSTRAINT user_roles_role CHECK (role IN ('admin', 'moderator', 'user')),
  CONSTRAINT user_roles_user_id_role_pk PRIMARY KEY (user_id, role)
);
--> statement-breakpoint
-- Alphabetical order is the order of precedence: admin, moderator, user.
CREATE FUNCTION update_top_role() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed_user uuid := coalesce(NEW.user_id, OLD.user_id);
  top text := coalesce((SELECT min(role) FROM user_roles WHERE user_id = changed_user), 'user');
BEGIN
  UPDATE profiles SET top_role = top WHERE user_id = changed_user AND top_role <> top;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER top_role_updated AFTER INSERT OR UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION update_top_role();
--> statement-breakpoint

-- Products, their files, and the items of bundles.

CREATE TABLE products (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  price numeric(10, 2) NOT NULL,
  format text NOT NULL,
  is_digital boolean NOT NULL DEFAULT true,
  download_url text,
  file_path text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  cover_path text,
  position integer,
  is_for_sale boolean NOT NULL DEFAULT true,
  contents text[] NOT NULL DEFAULT '{}',
  CONSTRAINT products_contents CHECK (cardinality(contents) <= 8),
  CONSTRAINT products_format CHECK (format IN ('digital', 'paperback', 'hardcover', 'bundle')),
  CONSTRAINT products_is_digital CHECK (format = 'bundle' OR is_digital = (format = 'digital')),
  CONSTRAINT products_price CHECK (price >= 0)
);
--> statement-breakpoint
CREATE INDEX products_price ON products (price, id);
--> statement-breakpoint

CREATE TABLE product_files (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL
    CONSTRAINT product_files_product_id_products_id_fk REFERENCES products(id),
  file_path text NOT NULL CONSTRAINT product_files_file_path_unique UNIQUE,
  title text NOT NULL,
  file_format text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  file_size bigint,
  findings jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT product_files_format CHECK (file_format IN ('epub', 'pdf', 'mobi'))
);
--> statement-breakpoint
CREATE INDEX product_files_newest ON product_files (product_id, file_format, created_at DESC);
--> statement-breakpoint

CREATE TABLE bundle_items (
  bundle_id uuid NOT NULL
    CONSTRAINT bundle_items_bundle_id_products_id_fk REFERENCES products(id) ON DELETE CASCADE,
  product_id uuid NOT NULL
    CONSTRAINT bundle_items_product_id_products_id_fk REFERENCES products(id) ON DELETE CASCADE,
  CONSTRAINT bundle_items_bundle_id_product_id_pk PRIMARY KEY (bundle_id, product_id),
  CONSTRAINT bundle_items_other CHECK (bundle_id <> product_id)
);
--> statement-breakpoint
-- Whether there is anything to download: by the format, and for a bundle by its items.
CREATE FUNCTION gives_download(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN true
    WHEN 'bundle' THEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id)
      OR EXISTS (SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
        WHERE i.bundle_id = product.id AND part.format = 'digital')
    ELSE false END
$$;
--> statement-breakpoint
-- Why a product cannot be delivered; null when it can. A bundle delivers only the stored files of its items.
CREATE FUNCTION delivery_gap(product products) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN product.format IN ('paperback', 'hardcover') THEN NULL
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital'
        AND NOT EXISTS (SELECT FROM product_files f WHERE f.product_id = part.id)) THEN 'part_without_file'
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i WHERE i.bundle_id = product.id) THEN NULL
    WHEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id) THEN NULL
    WHEN product.format = 'bundle' THEN 'empty_bundle'
    ELSE 'no_file' END
$$;
--> statement-breakpoint
-- Whether it goes by post: paper, a bundle with paper in it, and a bundle without items.
CREATE FUNCTION needs_shipping(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN false
    WHEN 'bundle' THEN coalesce((
      SELECT bool_or(part.format <> 'digital') FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id), true)
    ELSE true END
$$;
--> statement-breakpoint
-- Tells every process to drop its cached pages and products. Files and items count: they decide what is for sale.
CREATE FUNCTION catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER product_files_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON product_files
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER bundle_items_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON bundle_items
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
--> statement-breakpoint

-- Purchases, and money that left them again.

CREATE TABLE purchases (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL
    CONSTRAINT purchases_user_id_profiles_user_id_fk REFERENCES profiles(user_id),
  product_id uuid NOT NULL
    CONSTRAINT purchases_product_id_products_id_fk REFERENCES products(id),
  amount numeric(10, 2) NOT NULL,
  status text NOT NULL,
  idempotency_key text,
  created_at timestamptz NOT NULL DEFAULT now(),
  refunded numeric(10, 2) NOT NULL DEFAULT 0,
  number integer NOT NULL GENERATED ALWAYS AS IDENTITY (START WITH 1001) CONSTRAINT purchases_number UNIQUE,
  CONSTRAINT purchases_amount CHECK (amount >= 0),
  CONSTRAINT purchases_intent UNIQUE (user_id, idempotency_key),
  CONSTRAINT purchases_refunded CHECK (refunded BETWEEN 0 AND amount),
  CONSTRAINT purchases_status CHECK (status IN ('pending', 'completed', 'partially_refunded', 'refunded', 'canceled', 'disputed'))
);
--> statement-breakpoint
CREATE INDEX purchases_newest ON purchases (created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX purchases_of_product ON purchases (product_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX purchases_own ON purchases (user_id, created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX purchases_unusual ON purchases (status, created_at DESC, id DESC) WHERE status <> 'completed';
--> statement-breakpoint
CREATE FUNCTION is_completed(status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN status IN ('completed', 'partially_refunded');
--> statement-breakpoint
-- Dollars that stay with the shop. A bank may take only a part in a dispute; a dispute that took nothing counts for nothing.
CREATE FUNCTION net_amount(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN is_completed(status) OR (status = 'disputed' AND refunded > 0) THEN amount - refunded ELSE 0.00 END;
--> statement-breakpoint
-- Dollars that count on the day of the purchase; what was given back counts on the days of its adjustments.
CREATE FUNCTION day_revenue(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN is_completed(status) THEN amount
    WHEN status IN ('refunded', 'disputed') THEN net_amount(status, amount, refunded) + refunded
    ELSE 0 END;
--> statement-breakpoint

CREATE TABLE adjustments (
  id uuid PRIMARY KEY,
  purchase_id uuid NOT NULL
    CONSTRAINT adjustments_purchase_id_purchases_id_fk REFERENCES purchases(id) ON DELETE CASCADE,
  kind text NOT NULL,
  amount numeric(10, 2) NOT NULL,
  note text NOT NULL DEFAULT '',
  external_id text CONSTRAINT adjustments_external_id_unique UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT adjustments_kind CHECK (kind IN ('refund', 'refund_failed', 'dispute', 'dispute_won'))
);
--> statement-breakpoint
CREATE INDEX adjustments_of_purchase ON adjustments (purchase_id);
--> statement-breakpoint
CREATE TRIGGER adjustments_append_only BEFORE UPDATE ON adjustments
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
--> statement-breakpoint

-- Payments through Stripe. What needs attention has an index each: the admin area counts it on every page.

CREATE TABLE checkouts (
  purchase_id uuid PRIMARY KEY
    CONSTRAINT checkouts_purchase_id_purchases_id_fk REFERENCES purchases(id) ON DELETE CASCADE,
  session_id text CONSTRAINT checkouts_session_id_unique UNIQUE,
  url text,
  payment_intent text CONSTRAINT checkouts_payment_intent_unique UNIQUE,
  is_live boolean NOT NULL,
  tax numeric(10, 2),
  discount numeric(10, 2),
  invoice_url text,
  held_reason text,
  next_check_at timestamptz,
  checks integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  paid_total numeric(10, 2),
  paid_currency text,
  dismissed_at timestamptz,
  asked jsonb,
  answer_by timestamptz,
  attempt integer NOT NULL DEFAULT 1,
  subtotal numeric(10, 2),
  disputed_at timestamptz,
  dispute_status text
);
--> statement-breakpoint
CREATE INDEX checkouts_disputed ON checkouts (answer_by DESC, purchase_id) WHERE answer_by IS NOT NULL;
--> statement-breakpoint
CREATE INDEX checkouts_held ON checkouts (created_at DESC, purchase_id) WHERE held_reason IS NOT NULL AND dismissed_at IS NULL;
--> statement-breakpoint
CREATE INDEX checkouts_to_check ON checkouts (next_check_at, purchase_id) WHERE next_check_at IS NOT NULL;
--> statement-breakpoint

CREATE TABLE payment_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  session_id text,
  payment_intent text,
  received_at timestamptz NOT NULL DEFAULT now(),
  handled_at timestamptz,
  problem text,
  purchase_id uuid
);
--> statement-breakpoint
CREATE INDEX payment_events_open ON payment_events (received_at, id) WHERE handled_at IS NULL;
--> statement-breakpoint

CREATE TABLE events_read (
  is_live boolean PRIMARY KEY,
  seen_to timestamptz,
  newest timestamptz,
  oldest timestamptz
);
--> statement-breakpoint

CREATE TABLE refund_requests (
  id uuid PRIMARY KEY,
  purchase_id uuid NOT NULL
    CONSTRAINT refund_requests_purchase_id_purchases_id_fk REFERENCES purchases(id) ON DELETE CASCADE,
  amount numeric(10, 2) NOT NULL,
  reason text NOT NULL DEFAULT '',
  is_by_buyer boolean NOT NULL,
  status text NOT NULL DEFAULT 'asked',
  problem text,
  created_at timestamptz NOT NULL DEFAULT now(),
  dismissed_at timestamptz,
  attempt integer NOT NULL DEFAULT 1,
  CONSTRAINT refund_requests_amount CHECK (amount > 0)
);
--> statement-breakpoint
CREATE INDEX refund_requests_of_purchase ON refund_requests (purchase_id, created_at);
--> statement-breakpoint
CREATE UNIQUE INDEX refund_requests_open ON refund_requests (purchase_id) WHERE status = 'asked';
--> statement-breakpoint
CREATE INDEX refund_requests_refused ON refund_requests (created_at DESC, id) WHERE status = 'refused' AND dismissed_at IS NULL;
--> statement-breakpoint

CREATE TABLE failed_refunds (
  external_id text PRIMARY KEY,
  purchase_id uuid NOT NULL
    CONSTRAINT failed_refunds_purchase_id_purchases_id_fk REFERENCES purchases(id) ON DELETE CASCADE,
  amount numeric(10, 2) NOT NULL,
  currency text NOT NULL,
  reason text NOT NULL,
  dismissed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX failed_refunds_of_purchase ON failed_refunds (purchase_id);
--> statement-breakpoint
CREATE INDEX failed_refunds_open ON failed_refunds (created_at DESC, external_id) WHERE dismissed_at IS NULL;
--> statement-breakpoint

CREATE TABLE payment_faults (
  id text PRIMARY KEY,
  kind text NOT NULL,
  about text,
  product_id uuid
    CONSTRAINT payment_faults_product_id_products_id_fk REFERENCES products(id) ON DELETE CASCADE,
  words text NOT NULL,
  key_fingerprint text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint

-- Shipping: one row for each paid purchase that goes by post, written by triggers however it came to be paid.

CREATE TABLE shipments (
  purchase_id uuid PRIMARY KEY
    CONSTRAINT shipments_purchase_id_purchases_id_fk REFERENCES purchases(id) ON DELETE CASCADE,
  name text,
  line1 text,
  line2 text NOT NULL DEFAULT '',
  city text,
  state text NOT NULL DEFAULT '',
  postal_code text NOT NULL DEFAULT '',
  country text,
  phone text NOT NULL DEFAULT '',
  carrier text,
  tracking_number text,
  shipped_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  format text NOT NULL,
  is_paid boolean NOT NULL DEFAULT true,
  first_address_digest text,
  CONSTRAINT shipments_address CHECK (num_nulls(name, line1, city, country) IN (0, 4))
);
--> statement-breakpoint
CREATE INDEX shipments_shipped ON shipments (shipped_at DESC, purchase_id DESC) WHERE shipped_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX shipments_shipped_by_format ON shipments (format, shipped_at DESC, purchase_id DESC) WHERE shipped_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX shipments_to_ship ON shipments (created_at, purchase_id) WHERE shipped_at IS NULL AND is_paid;
--> statement-breakpoint
CREATE INDEX shipments_to_ship_by_format ON shipments (format, created_at, purchase_id) WHERE shipped_at IS NULL AND is_paid;
--> statement-breakpoint
CREATE FUNCTION shipments_add(bought purchases) RETURNS void LANGUAGE sql AS $$
  INSERT INTO shipments (purchase_id, format, created_at)
  SELECT bought.id, p.format, bought.created_at FROM products p WHERE p.id = bought.product_id AND needs_shipping(p)
$$;
--> statement-breakpoint
CREATE FUNCTION shipments_of_new_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shipments_add(NEW);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION shipments_of_changed_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shipments SET is_paid = is_completed(NEW.status) WHERE purchase_id = NEW.id;
  IF NOT FOUND AND is_completed(NEW.status) THEN
    PERFORM shipments_add(NEW);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER shipments_of_purchase AFTER INSERT ON purchases
  FOR EACH ROW WHEN (is_completed(NEW.status)) EXECUTE FUNCTION shipments_of_new_purchase();
--> statement-breakpoint
CREATE TRIGGER shipments_of_changed_purchase AFTER UPDATE OF status ON purchases
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION shipments_of_changed_purchase();
--> statement-breakpoint

-- Downloads

CREATE TABLE downloads (
  id uuid PRIMARY KEY,
  purchase_id uuid NOT NULL
    CONSTRAINT downloads_purchase_id_purchases_id_fk REFERENCES purchases(id),
  file_path text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  ip text,
  user_agent text
);
--> statement-breakpoint
CREATE INDEX downloads_of_purchase ON downloads (purchase_id, created_at);
--> statement-breakpoint

-- Ebooks: uploaded files that belong to no product yet.

CREATE TABLE unsettled_files (
  file_path text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint

-- Mails

CREATE TABLE mails (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  recipient text NOT NULL,
  subject text NOT NULL,
  purchase_id uuid
    CONSTRAINT mails_purchase_id_purchases_id_fk REFERENCES purchases(id),
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 1,
  error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  given_up_at timestamptz
);
--> statement-breakpoint
CREATE INDEX mails_given_up ON mails (given_up_at DESC, id) WHERE given_up_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX mails_of_purchase ON mails (purchase_id);
--> statement-breakpoint

-- Messages from the contact form.

CREATE TABLE contact_messages (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  read_at timestamptz,
  deleted_at timestamptz
);
--> statement-breakpoint
CREATE INDEX contact_messages_newest ON contact_messages (created_at DESC, id DESC);
--> statement-breakpoint

-- Audit log of the admin area and of money.

CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  actor_id uuid,
  actor text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  subject_id text,
  detail jsonb NOT NULL DEFAULT '{}',
  ip text,
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE INDEX audit_log_newest ON audit_log (created_at DESC, id DESC);
--> statement-breakpoint
CREATE INDEX audit_log_of_subject ON audit_log (subject_id, created_at);
--> statement-breakpoint
CREATE INDEX audit_log_search ON audit_log USING gin ((actor || ' ' || action || ' ' || subject || ' ' || detail::text) gin_trgm_ops);
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
--> statement-breakpoint

-- Reports: sums maintained by triggers, so that no figure grows slower with the number of rows.

CREATE TABLE sums_settings (
  is_only boolean PRIMARY KEY DEFAULT true,
  time_zone text NOT NULL
);
--> statement-breakpoint
INSERT INTO sums_settings (time_zone) VALUES ('UTC');
--> statement-breakpoint
CREATE FUNCTION shop_day(moment timestamptz) RETURNS date LANGUAGE sql STABLE
  RETURN (moment AT TIME ZONE (SELECT time_zone FROM sums_settings))::date;
--> statement-breakpoint

CREATE TABLE sales_day (
  day date NOT NULL,
  shard smallint NOT NULL,
  purchases integer NOT NULL DEFAULT 0,
  completed integer NOT NULL DEFAULT 0,
  revenue numeric(14, 2) NOT NULL DEFAULT 0,
  product_id uuid NOT NULL
    CONSTRAINT sales_day_product_id_products_id_fk REFERENCES products(id),
  CONSTRAINT sales_day_day_product_id_shard_pk PRIMARY KEY (day, product_id, shard)
) WITH (fillfactor = 50);
--> statement-breakpoint
-- The shard spreads concurrent buyers over rows.
CREATE FUNCTION sales_day_add(on_day date, of_product uuid, made integer, done integer, dollars numeric)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO sales_day AS s (day, product_id, shard, purchases, completed, revenue)
  VALUES (on_day, of_product, pg_backend_pid() % 16, made, done, dollars)
  ON CONFLICT (day, product_id, shard) DO UPDATE SET
    purchases = s.purchases + excluded.purchases,
    completed = s.completed + excluded.completed,
    revenue = s.revenue + excluded.revenue
$$;
--> statement-breakpoint
CREATE FUNCTION sums_add_day(bought purchases, sign integer) RETURNS void LANGUAGE sql AS $$
  SELECT sales_day_add(shop_day(bought.created_at), bought.product_id,
    CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END,
    CASE WHEN is_completed(bought.status) THEN sign ELSE 0 END,
    sign * day_revenue(bought.status, bought.amount, bought.refunded))
$$;
--> statement-breakpoint

CREATE TABLE user_sums (
  user_id uuid PRIMARY KEY
    CONSTRAINT user_sums_user_id_profiles_user_id_fk REFERENCES profiles(user_id) ON DELETE CASCADE,
  total_purchases integer NOT NULL DEFAULT 0,
  total_spent numeric(14, 2) NOT NULL DEFAULT 0,
  last_purchase timestamptz
) WITH (fillfactor = 70);
--> statement-breakpoint
CREATE INDEX user_sums_by_last ON user_sums (coalesce(last_purchase, '-infinity') DESC, user_id DESC);
--> statement-breakpoint
CREATE INDEX user_sums_by_purchases ON user_sums (total_purchases DESC, user_id DESC);
--> statement-breakpoint
CREATE INDEX user_sums_by_spent ON user_sums (total_spent DESC, user_id DESC);
--> statement-breakpoint
-- The row is locked before the last purchase is read, so that a caller that had to wait sees concurrent deletes.
CREATE FUNCTION sums_add_user(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made integer := CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END;
BEGIN
  IF made < 0 THEN
    PERFORM FROM user_sums WHERE user_id = bought.user_id FOR UPDATE;
  END IF;
  UPDATE user_sums SET
    total_purchases = total_purchases + made,
    total_spent = total_spent + sign * net_amount(bought.status, bought.amount, bought.refunded),
    last_purchase = CASE
      WHEN made > 0 THEN greatest(last_purchase, bought.created_at)
      WHEN made = 0 OR last_purchase > bought.created_at THEN last_purchase
      ELSE (SELECT max(created_at) FROM purchases WHERE user_id = bought.user_id AND status <> 'canceled') END
  WHERE user_id = bought.user_id;
END
$$;
--> statement-breakpoint

CREATE TABLE user_count (
  shard smallint PRIMARY KEY,
  users integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE FUNCTION count_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_count AS c (shard, users)
  VALUES (pg_backend_pid() % 16, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
  ON CONFLICT (shard) DO UPDATE SET users = c.users + excluded.users;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO user_sums (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Not deferred: a purchase in the same transaction needs the user's row in user_sums.
CREATE TRIGGER users_counted AFTER INSERT OR DELETE ON profiles
  FOR EACH ROW EXECUTE FUNCTION count_user();
--> statement-breakpoint

-- Days before users, always: two purchases that change at the same moment cannot deadlock.
CREATE FUNCTION sums_follow_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM sums_add_day(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM sums_add_day(NEW, 1); END IF;
  IF TG_OP <> 'INSERT' THEN PERFORM sums_add_user(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM sums_add_user(NEW, 1); END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Deferred: the rows of the sums are locked only at commit, so that concurrent purchases do not wait for each other.
CREATE CONSTRAINT TRIGGER sums_of_purchase AFTER INSERT OR DELETE ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sums_follow_purchase();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER sums_of_changed_purchase AFTER UPDATE ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.amount IS DISTINCT FROM NEW.amount
        OR OLD.refunded IS DISTINCT FROM NEW.refunded OR OLD.product_id IS DISTINCT FROM NEW.product_id
        OR OLD.user_id IS DISTINCT FROM NEW.user_id OR OLD.created_at IS DISTINCT FROM NEW.created_at)
  EXECUTE FUNCTION sums_follow_purchase();
--> statement-breakpoint

-- An adjustment counts on its own day, for the product of its purchase.
CREATE FUNCTION sums_follow_adjustment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_product uuid;
BEGIN
  UPDATE purchases SET refunded = refunded - NEW.amount WHERE id = NEW.purchase_id RETURNING product_id INTO of_product;
  PERFORM sales_day_add(shop_day(NEW.created_at), of_product, 0, 0, NEW.amount);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER sums_of_adjustment AFTER INSERT ON adjustments
  FOR EACH ROW EXECUTE FUNCTION sums_follow_adjustment();
--> statement-breakpoint

-- The adjustments of a deleted purchase leave the sums with it.
CREATE FUNCTION sums_remove_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sales_day_add(shop_day(a.created_at), OLD.product_id, 0, 0, -a.amount)
  FROM adjustments a WHERE a.purchase_id = OLD.id;
  RETURN OLD;
END
$$;
--> statement-breakpoint
CREATE TRIGGER sums_of_deleted_purchase BEFORE DELETE ON purchases
  FOR EACH ROW EXECUTE FUNCTION sums_remove_adjustments();
--> statement-breakpoint

-- The adjustments of a purchase move with it to another product. Not deferred: an adjustment made after the move in the
-- same transaction already counts for the new product.
CREATE FUNCTION sums_move_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sales_day_add(shop_day(a.created_at), of_product, 0, 0, sign * a.amount)
  FROM adjustments a, (VALUES (OLD.product_id, -1), (NEW.product_id, 1)) AS moved (of_product, sign)
  WHERE a.purchase_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER sums_of_moved_purchase AFTER UPDATE ON purchases
  FOR EACH ROW WHEN (OLD.product_id IS DISTINCT FROM NEW.product_id)
  EXECUTE FUNCTION sums_move_adjustments();
--> statement-breakpoint

-- Computes all sums from the rows; writers wait until the transaction ends. The time zone is read once, not per purchase.
CREATE FUNCTION sums_rebuild() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT time_zone FROM sums_settings);
BEGIN
  LOCK TABLE purchases, adjustments, profiles IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM sales_day;
  INSERT INTO sales_day (day, product_id, shard, purchases, completed, revenue)
  SELECT day, product_id, 0, sum(purchases), sum(completed), sum(revenue) FROM (
    SELECT (created_at AT TIME ZONE zone)::date AS day, product_id,
      count(*) FILTER (WHERE status <> 'canceled') AS purchases,
      count(*) FILTER (WHERE is_completed(status)) AS completed, sum(day_revenue(status, amount, refunded)) AS revenue
    FROM purchases GROUP BY 1, 2
    UNION ALL
    SELECT (a.created_at AT TIME ZONE zone)::date, p.product_id, 0, 0, sum(a.amount)
    FROM adjustments a JOIN purchases p ON p.id = a.purchase_id GROUP BY 1, 2
  ) parts GROUP BY day, product_id;
  DELETE FROM user_sums;
  INSERT INTO user_sums (user_id, total_purchases, total_spent, last_purchase)
  SELECT p.user_id, coalesce(s.purchases, 0), coalesce(s.spent, 0), s.last
  FROM profiles p LEFT JOIN (
    SELECT user_id, count(*) AS purchases, max(created_at) AS last, sum(net_amount(status, amount, refunded)) AS spent
    FROM purchases WHERE status <> 'canceled' GROUP BY user_id
  ) s USING (user_id);
  DELETE FROM user_count;
  INSERT INTO user_count (shard, users) SELECT 0, count(*) FROM profiles;
END
$$;
--> statement-breakpoint
SELECT sums_rebuild();
--> statement-breakpoint

-- Rate limits: unlogged, since a crash may forget them.

CREATE UNLOGGED TABLE rate_limits (
  key text PRIMARY KEY,
  window_start timestamptz NOT NULL DEFAULT now(),
  hits integer NOT NULL DEFAULT 1
) WITH (fillfactor = 50);
