-- The whole schema of 0.3.0: what the tables need, the tables with their keys and indexes as drizzle writes them, what it
-- cannot write (storage parameters, defaults that call functions), functions and triggers as in ../functions, first rows.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- The form in which names are searched: without accents, in small letters, of one width.
CREATE OR REPLACE FUNCTION searchable(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT replace(replace(replace(translate(
    lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
    'łđøħıŧ', 'ldohit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
$$;
--> statement-breakpoint
CREATE SCHEMA "auth";
--> statement-breakpoint
CREATE TABLE "auth"."audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"event" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"ip" text,
	"email" text,
	"attempts" integer DEFAULT 1 NOT NULL,
	"bucket" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_log_bucket_unique" UNIQUE("bucket")
);
--> statement-breakpoint
CREATE TABLE "erased_ids" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"erased_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"began_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "auth"."known_devices" (
	"user_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "auth"."mfa_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"factor_id" uuid,
	"session_id" uuid,
	"challenge" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth"."mfa_factors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"friendly_name" text,
	"factor_type" text DEFAULT 'totp' NOT NULL,
	"status" text DEFAULT 'unverified' NOT NULL,
	"secret" "bytea",
	"last_step" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth"."one_time_tokens" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"user_metadata" jsonb,
	"code_signature" text,
	"code_device" text,
	"code_expires_at" timestamp with time zone,
	"code_tries" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth"."passkeys" (
	"factor_id" uuid PRIMARY KEY NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"is_backed_up" boolean NOT NULL,
	"rp_id" text NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "auth"."pending_sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"user_metadata" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"display_name" text,
	"top_role" text DEFAULT 'user' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth"."recovery_codes" (
	"factor_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "recovery_codes_factor_id_hash_pk" PRIMARY KEY("factor_id","hash")
);
--> statement-breakpoint
CREATE TABLE "auth"."sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"counter" bigint DEFAULT 0 NOT NULL,
	"salt" "bytea" NOT NULL,
	"aal" text DEFAULT 'aal1' NOT NULL,
	"amr" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"proved_at" timestamp with time zone NOT NULL,
	"factor_proved_at" timestamp with time zone,
	"ip" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"refreshed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"not_after" timestamp with time zone NOT NULL,
	"revoked_at" timestamp with time zone,
	"revoked_reason" text
);
--> statement-breakpoint
CREATE TABLE "auth"."signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_jwk" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_count" (
	"shard" smallint PRIMARY KEY NOT NULL,
	"users" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "user_roles_user_id_role_pk" PRIMARY KEY("user_id","role"),
	CONSTRAINT "user_roles_role" CHECK (role in ('admin', 'moderator', 'user'))
);
--> statement-breakpoint
CREATE TABLE "user_sums" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"total_purchases" integer DEFAULT 0 NOT NULL,
	"total_spent" numeric(14, 2) DEFAULT 0 NOT NULL,
	"last_purchase" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "auth"."users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"password_unproven_since" timestamp with time zone,
	"email_confirmed_at" timestamp with time zone,
	"user_metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"banned_until" timestamp with time zone,
	"last_sign_in_at" timestamp with time zone,
	"new_email" text,
	"new_email_asked_at" timestamp with time zone,
	"new_email_session_id" uuid,
	"new_email_device" text,
	"new_email_pressed_by" text,
	"old_email_confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth"."wrong_codes" (
	"user_id" uuid NOT NULL,
	"aal" text NOT NULL,
	"device" "bytea" NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wrong_codes_user_id_aal_device_pk" PRIMARY KEY("user_id","aal","device")
);
--> statement-breakpoint
CREATE TABLE "backup_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"started_by" text NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"step" text,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"backup" text,
	"place" text,
	"orders" integer,
	"files" integer,
	"opened" text,
	"changes" bigint,
	"problems" jsonb DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "backup_states" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"place" text NOT NULL,
	"kind" text NOT NULL,
	"succeeded_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"problem" text,
	"damaged" jsonb DEFAULT '[]' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backup_states_place" UNIQUE("place","kind")
);
--> statement-breakpoint
CREATE TABLE "book_draft" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"document" jsonb,
	"revision" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"saved_by" text NOT NULL,
	CONSTRAINT "one_draft" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "book_versions" (
	"number" integer PRIMARY KEY NOT NULL,
	"document" jsonb NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bundle_items" (
	"bundle_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	CONSTRAINT "bundle_items_bundle_id_product_id_pk" PRIMARY KEY("bundle_id","product_id"),
	CONSTRAINT "bundle_items_other" CHECK ("bundle_items"."bundle_id" <> "bundle_items"."product_id")
);
--> statement-breakpoint
CREATE TABLE "product_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"file_path" text NOT NULL,
	"title" text NOT NULL,
	"file_format" text NOT NULL,
	"file_size" bigint,
	"edition" integer NOT NULL,
	"changes" text DEFAULT '' NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"lost_at" timestamp with time zone,
	"lost_sha256" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "product_files_file_path_unique" UNIQUE("file_path"),
	CONSTRAINT "product_files_format" CHECK (file_format in ('epub', 'pdf', 'mobi'))
);
--> statement-breakpoint
CREATE TABLE "product_prices" (
	"product_id" uuid NOT NULL,
	"price" numeric(10, 2) NOT NULL,
	"currency" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "product_prices_product_id_since_pk" PRIMARY KEY("product_id","since")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"price" numeric(10, 2) NOT NULL,
	"format" text NOT NULL,
	"is_digital" boolean DEFAULT true NOT NULL,
	"download_url" text,
	"file_path" text,
	"cover_id" uuid,
	"position" integer,
	"is_for_sale" boolean DEFAULT true NOT NULL,
	"archived_at" timestamp with time zone,
	"release_on" date,
	"release_queued_at" timestamp with time zone,
	"contents" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "products_format" CHECK (format in ('digital', 'paperback', 'hardcover', 'bundle')),
	CONSTRAINT "products_price" CHECK ("products"."price" >= 0),
	CONSTRAINT "products_contents" CHECK (cardinality("products"."contents") <= 8),
	CONSTRAINT "products_is_digital" CHECK ("products"."format" = 'bundle' or "products"."is_digital" = ("products"."format" = 'digital'))
);
--> statement-breakpoint
CREATE TABLE "stock" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"copies" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_copies" CHECK ("stock"."copies" >= 0)
);
--> statement-breakpoint
CREATE TABLE "downloads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"file_path" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp with time zone,
	"sent_bytes" bigint,
	"finished_at" timestamp with time zone,
	"ip" text,
	"user_agent" text
);
--> statement-breakpoint
CREATE TABLE "edition_announcements" (
	"file_id" uuid PRIMARY KEY NOT NULL,
	"paused_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gift_links" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"purchase_id" uuid,
	"revision" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchase_gifts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"purchase_id" uuid,
	"product_id" uuid,
	"received_id" uuid,
	"email" text NOT NULL,
	"recipient_name" text DEFAULT '' NOT NULL,
	"sender_name" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"send_at" timestamp with time zone NOT NULL,
	"revision" uuid NOT NULL,
	"opened_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "purchase_gifts_purchase" UNIQUE("purchase_id")
);
--> statement-breakpoint
CREATE TABLE "mail_choices" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"has_editions" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mail_choices_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "release_waitlist" (
	"id" uuid PRIMARY KEY NOT NULL,
	"product_id" uuid NOT NULL,
	"email" text NOT NULL,
	"hash" "bytea",
	"requested_at" timestamp with time zone,
	"requests" integer DEFAULT 1 NOT NULL,
	"confirmed_at" timestamp with time zone,
	"queued_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "release_waitlist_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"renditions" text[] NOT NULL,
	"unused_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pictures_size" CHECK ("pictures"."width" > 0 and "pictures"."height" > 0)
);
--> statement-breakpoint
CREATE TABLE "unsettled_files" (
	"file_path" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"purchase_id" uuid,
	"message_id" uuid,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"queued_at" timestamp with time zone,
	"body" text,
	"repeated_at" timestamp with time zone,
	"given_up_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "scheduled_emails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"about" uuid NOT NULL,
	"user_id" uuid,
	"version" text DEFAULT '' NOT NULL,
	"due_at" timestamp with time zone,
	"queued_at" timestamp with time zone,
	"mail_id" uuid,
	"outcome" text,
	"settled_at" timestamp with time zone,
	CONSTRAINT "scheduled_emails_once" UNIQUE NULLS NOT DISTINCT("kind","about","user_id","version"),
	CONSTRAINT "scheduled_emails_kind" CHECK (kind in ('gift_to_someone', 'release_out', 'release_moved', 'release_waitlist', 'edition')),
	CONSTRAINT "scheduled_emails_outcome" CHECK (outcome in ('sent', 'skipped', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"text" text NOT NULL,
	"given_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "discount_codes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"percent" integer,
	"amount_off" numeric(10, 2),
	"product_id" uuid,
	"max_uses" integer,
	"uses" integer DEFAULT 0 NOT NULL,
	"ends_on" date,
	"paused_at" timestamp with time zone,
	"resumed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discount_codes_terms" CHECK (num_nonnulls("discount_codes"."percent", "discount_codes"."amount_off") = 1),
	CONSTRAINT "discount_codes_percent" CHECK ("discount_codes"."percent" between 1 and 100),
	CONSTRAINT "discount_codes_amount_off" CHECK ("discount_codes"."amount_off" > 0)
);
--> statement-breakpoint
CREATE TABLE "discount_uses" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"code_id" uuid NOT NULL,
	"discount" numeric(10, 2) NOT NULL,
	"is_counted" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "guest_checkouts" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"network" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchase_access" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "purchases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" integer GENERATED ALWAYS AS IDENTITY (sequence name "purchases_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1001 CACHE 1),
	"user_id" uuid,
	"product_id" uuid NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"refunded" numeric(10, 2) DEFAULT 0 NOT NULL,
	"seller" text DEFAULT 'author' NOT NULL,
	"link_tax" numeric(10, 2) DEFAULT 0 NOT NULL,
	"link_tax_back" numeric(10, 2) DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"refund_days" integer NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"is_given" boolean DEFAULT false NOT NULL,
	"country" text,
	"code_id" uuid,
	"idempotency_key" text,
	"gift_of" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "purchases_number" UNIQUE("number"),
	CONSTRAINT "purchases_intent" UNIQUE("user_id","idempotency_key"),
	CONSTRAINT "purchases_status" CHECK (status in ('pending', 'completed', 'partially_refunded', 'refunded', 'canceled', 'disputed')),
	CONSTRAINT "purchases_user" CHECK ("purchases"."user_id" is not null or "purchases"."status" in ('pending', 'canceled')),
	CONSTRAINT "purchases_amount" CHECK ("purchases"."amount" >= 0),
	CONSTRAINT "purchases_refunded" CHECK ("purchases"."refunded" between 0 and "purchases"."amount"),
	CONSTRAINT "purchases_seller" CHECK (seller in ('author', 'stripe')),
	CONSTRAINT "purchases_link_tax" CHECK ("purchases"."link_tax_back" between 0 and "purchases"."link_tax")
);
--> statement-breakpoint
CREATE TABLE "shipments" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"format" text NOT NULL,
	"is_paid" boolean DEFAULT true NOT NULL,
	"name" text,
	"line1" text,
	"city" text,
	"country" text,
	"line2" text DEFAULT '' NOT NULL,
	"state" text DEFAULT '' NOT NULL,
	"postal_code" text DEFAULT '' NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"first_address_digest" text,
	"carrier" text,
	"tracking_number" text,
	"shipped_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shipments_address" CHECK (num_nulls("shipments"."name", "shipments"."line1", "shipments"."city", "shipments"."country") in (0, 4))
);
--> statement-breakpoint
CREATE TABLE "shipping_charges" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"country" text,
	"amount" numeric(10, 2) NOT NULL,
	CONSTRAINT "shipping_charges_amount" CHECK ("shipping_charges"."amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "taken_copies" (
	"purchase_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	CONSTRAINT "taken_copies_purchase_id_product_id_pk" PRIMARY KEY("purchase_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "withdrawal_declarations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"number" integer,
	"ordered" text DEFAULT '' NOT NULL,
	"hash" "bytea",
	"closed_at" timestamp with time zone,
	"purchase_id" uuid,
	"declared_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawal_declarations_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "adjustments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"link_tax" numeric(10, 2) DEFAULT 0 NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"external_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "adjustments_external_id_unique" UNIQUE("external_id"),
	CONSTRAINT "adjustments_kind" CHECK (kind in ('refund', 'refund_failed', 'dispute', 'dispute_won'))
);
--> statement-breakpoint
CREATE TABLE "checkout_searches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"list" text DEFAULT 'checkouts' NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"read_to" text,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "checkouts" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"parameters" jsonb,
	"attempt" integer DEFAULT 1 NOT NULL,
	"session_id" text,
	"url" text,
	"payment_intent" text,
	"is_live" boolean NOT NULL,
	"subtotal" numeric(10, 2),
	"tax" numeric(10, 2),
	"discount" numeric(10, 2),
	"invoice_url" text,
	"sold_by" text,
	"presented_amount" numeric(14, 2),
	"presented_currency" text,
	"payer_name" text,
	"held_reason" text,
	"paid_total" numeric(10, 2),
	"paid_currency" text,
	"dismissed_at" timestamp with time zone,
	"answer_by" timestamp with time zone,
	"disputed_at" timestamp with time zone,
	"dispute_status" text,
	"next_check_at" timestamp with time zone,
	"checks" integer DEFAULT 0 NOT NULL,
	"rebuilt_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkouts_session_id_unique" UNIQUE("session_id"),
	CONSTRAINT "checkouts_payment_intent_unique" UNIQUE("payment_intent"),
	CONSTRAINT "checkouts_sold_by" CHECK (sold_by in ('author', 'stripe'))
);
--> statement-breakpoint
CREATE TABLE "events_read" (
	"is_live" boolean PRIMARY KEY NOT NULL,
	"seen_to" timestamp with time zone,
	"newest" timestamp with time zone,
	"oldest" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "failed_refunds" (
	"external_id" text PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"dismissed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"session_id" text,
	"payment_intent" text,
	"purchase_id" uuid,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"handled_at" timestamp with time zone,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "payment_faults" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"about" text,
	"product_id" uuid,
	"words" text NOT NULL,
	"key_fingerprint" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_outage_buyers" (
	"outage_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "payment_outage_buyers_outage_id_user_id_pk" PRIMARY KEY("outage_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "payment_outages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"dismissed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "refund_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"amount" numeric(10, 2) NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"is_by_buyer" boolean NOT NULL,
	"status" text DEFAULT 'requested' NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"problem" text,
	"dismissed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refund_requests_amount" CHECK ("refund_requests"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"waits_for" text,
	"decision" text,
	"refusal" text,
	"decided_at" timestamp with time zone,
	"declared_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawals_waits_for" CHECK (waits_for in ('return', 'repeat', 'downloaded', 'other_refund', 'no_right')),
	CONSTRAINT "withdrawals_decision" CHECK (decision in ('given', 'refused')),
	CONSTRAINT "withdrawals_decided" CHECK (("withdrawals"."decision" is null) = ("withdrawals"."decided_at" is null)),
	CONSTRAINT "withdrawals_refusal" CHECK (("withdrawals"."decision" is not distinct from 'refused') = ("withdrawals"."refusal" is not null))
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor_id" uuid,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" text,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"ip" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"window_start" timestamp with time zone DEFAULT now() NOT NULL,
	"hits" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth"."secret_fingerprint" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "secret_fingerprint_is_only_check" CHECK ("auth"."secret_fingerprint"."is_only")
);
--> statement-breakpoint
CREATE TABLE "auth"."setting_secrets" (
	"name" text PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	"set_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"revision" integer NOT NULL,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"changed_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "locked_buyers" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"buyer" jsonb NOT NULL,
	"locked_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"subject" text NOT NULL,
	"message" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"answered_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "message_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "purchase_moves" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purchase_id" uuid NOT NULL,
	"from_email" text NOT NULL,
	"to_email" text NOT NULL,
	"reason" text NOT NULL,
	"is_by_buyer" boolean DEFAULT false NOT NULL,
	"objection_hash" "bytea",
	"objected_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "purchase_moves_objection_hash_unique" UNIQUE("objection_hash")
);
--> statement-breakpoint
CREATE TABLE "reply_snippets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sales_day" (
	"day" date NOT NULL,
	"product_id" uuid NOT NULL,
	"shard" smallint NOT NULL,
	"purchases" integer DEFAULT 0 NOT NULL,
	"completed" integer DEFAULT 0 NOT NULL,
	"revenue" numeric(14, 2) DEFAULT 0 NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"gross" numeric(14, 2) DEFAULT 0 NOT NULL,
	"refunded" numeric(14, 2) DEFAULT 0 NOT NULL,
	"free" integer DEFAULT 0 NOT NULL,
	"tests" integer DEFAULT 0 NOT NULL,
	"begun" integer DEFAULT 0 NOT NULL,
	"paid" integer DEFAULT 0 NOT NULL,
	"link_tax" numeric(14, 2) DEFAULT 0 NOT NULL,
	CONSTRAINT "sales_day_day_product_id_shard_pk" PRIMARY KEY("day","product_id","shard")
);
--> statement-breakpoint
CREATE TABLE "sales_day_by_code" (
	"day" date NOT NULL,
	"product_id" uuid NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"free" integer DEFAULT 0 NOT NULL,
	"revenue" numeric(14, 2) DEFAULT 0 NOT NULL,
	"code_id" uuid NOT NULL,
	CONSTRAINT "sales_day_by_code_day_product_id_code_id_pk" PRIMARY KEY("day","product_id","code_id")
);
--> statement-breakpoint
CREATE TABLE "sales_day_by_country" (
	"day" date NOT NULL,
	"product_id" uuid NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"free" integer DEFAULT 0 NOT NULL,
	"revenue" numeric(14, 2) DEFAULT 0 NOT NULL,
	"country" text NOT NULL,
	CONSTRAINT "sales_day_by_country_day_product_id_country_pk" PRIMARY KEY("day","product_id","country")
);
--> statement-breakpoint
CREATE TABLE "sums_settings" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"time_zone" text NOT NULL,
	"counts_tests" boolean DEFAULT true NOT NULL,
	"currency" text DEFAULT 'usd' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "book_setup" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"step" text NOT NULL,
	"file" jsonb,
	"offers" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "one_book_setup" CHECK (id = 1)
);
--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."mfa_challenges" ADD CONSTRAINT "mfa_challenges_factor_id_mfa_factors_id_fk" FOREIGN KEY ("factor_id") REFERENCES "auth"."mfa_factors"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."mfa_challenges" ADD CONSTRAINT "mfa_challenges_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "auth"."sessions"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."mfa_factors" ADD CONSTRAINT "mfa_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD CONSTRAINT "one_time_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."passkeys" ADD CONSTRAINT "passkeys_factor_id_mfa_factors_id_fk" FOREIGN KEY ("factor_id") REFERENCES "auth"."mfa_factors"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."recovery_codes" ADD CONSTRAINT "recovery_codes_factor_id_mfa_factors_id_fk" FOREIGN KEY ("factor_id") REFERENCES "auth"."mfa_factors"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "user_sums" ADD CONSTRAINT "user_sums_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "auth"."wrong_codes" ADD CONSTRAINT "wrong_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bundle_items" ADD CONSTRAINT "bundle_items_bundle_id_products_id_fk" FOREIGN KEY ("bundle_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "bundle_items" ADD CONSTRAINT "bundle_items_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_files" ADD CONSTRAINT "product_files_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "product_prices" ADD CONSTRAINT "product_prices_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_cover_id_pictures_id_fk" FOREIGN KEY ("cover_id") REFERENCES "public"."pictures"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "stock" ADD CONSTRAINT "stock_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "downloads" ADD CONSTRAINT "downloads_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "edition_announcements" ADD CONSTRAINT "edition_announcements_file_id_product_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."product_files"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "gift_links" ADD CONSTRAINT "gift_links_purchase_id_purchase_gifts_purchase_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchase_gifts"("purchase_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_gifts" ADD CONSTRAINT "purchase_gifts_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_gifts" ADD CONSTRAINT "purchase_gifts_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_gifts" ADD CONSTRAINT "purchase_gifts_received_id_purchases_id_fk" FOREIGN KEY ("received_id") REFERENCES "public"."purchases"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
--> statement-breakpoint
ALTER TABLE "release_waitlist" ADD CONSTRAINT "release_waitlist_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "scheduled_emails" ADD CONSTRAINT "scheduled_emails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_code_id_discount_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."discount_codes"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "guest_checkouts" ADD CONSTRAINT "guest_checkouts_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_access" ADD CONSTRAINT "purchase_access_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "shipping_charges" ADD CONSTRAINT "shipping_charges_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "taken_copies" ADD CONSTRAINT "taken_copies_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "taken_copies" ADD CONSTRAINT "taken_copies_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "withdrawal_declarations" ADD CONSTRAINT "withdrawal_declarations_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE set null ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "checkouts" ADD CONSTRAINT "checkouts_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "failed_refunds" ADD CONSTRAINT "failed_refunds_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_faults" ADD CONSTRAINT "payment_faults_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "payment_outage_buyers" ADD CONSTRAINT "payment_outage_buyers_outage_id_payment_outages_id_fk" FOREIGN KEY ("outage_id") REFERENCES "public"."payment_outages"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "locked_buyers" ADD CONSTRAINT "locked_buyers_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "message_replies" ADD CONSTRAINT "message_replies_message_id_contact_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."contact_messages"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "purchase_moves" ADD CONSTRAINT "purchase_moves_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sales_day" ADD CONSTRAINT "sales_day_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sales_day_by_code" ADD CONSTRAINT "sales_day_by_code_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sales_day_by_code" ADD CONSTRAINT "sales_day_by_code_code_id_discount_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."discount_codes"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "sales_day_by_country" ADD CONSTRAINT "sales_day_by_country_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "audit_log_of_user" ON "auth"."audit_log" USING btree ("user_id","created_at" DESC NULLS LAST);
--> statement-breakpoint
CREATE INDEX "audit_log_of_email" ON "auth"."audit_log" USING btree ("email","created_at") WHERE "auth"."audit_log"."email" is not null;
--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "auth"."audit_log" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "erasures_due" ON "erasures" USING btree ("due_at");
--> statement-breakpoint
CREATE INDEX "mfa_challenges_of_session" ON "auth"."mfa_challenges" USING btree ("session_id");
--> statement-breakpoint
CREATE INDEX "mfa_challenges_of_factor" ON "auth"."mfa_challenges" USING btree ("factor_id");
--> statement-breakpoint
CREATE INDEX "mfa_factors_of_user" ON "auth"."mfa_factors" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "one_time_tokens_of_user" ON "auth"."one_time_tokens" USING btree ("user_id","type");
--> statement-breakpoint
CREATE INDEX "profiles_newest" ON "profiles" USING btree ("created_at" DESC NULLS FIRST,"user_id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "profiles_by_name" ON "profiles" USING btree (lower(coalesce("display_name", "email")),"user_id");
--> statement-breakpoint
CREATE INDEX "profiles_by_role" ON "profiles" USING btree ("top_role","user_id");
--> statement-breakpoint
CREATE INDEX "profiles_searchable" ON "profiles" USING gin (searchable("email" || ' ' || coalesce("display_name", '')) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "sessions_of_user" ON "auth"."sessions" USING btree ("user_id");
--> statement-breakpoint
CREATE INDEX "user_sums_by_purchases" ON "user_sums" USING btree ("total_purchases" DESC NULLS FIRST,"user_id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "user_sums_by_spent" ON "user_sums" USING btree ("total_spent" DESC NULLS FIRST,"user_id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "user_sums_by_last" ON "user_sums" USING btree (coalesce("last_purchase", '-infinity') desc,"user_id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "auth"."users" USING btree (lower("email"));
--> statement-breakpoint
CREATE INDEX "backup_runs_newest" ON "backup_runs" USING btree ("started_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "product_files_newest" ON "product_files" USING btree ("product_id","file_format","created_at" DESC NULLS FIRST);
--> statement-breakpoint
CREATE UNIQUE INDEX "product_prices_current" ON "product_prices" USING btree ("product_id") WHERE "product_prices"."until" is null;
--> statement-breakpoint
CREATE INDEX "products_price" ON "products" USING btree ("price","id");
--> statement-breakpoint
CREATE INDEX "downloads_of_purchase" ON "downloads" USING btree ("purchase_id","created_at");
--> statement-breakpoint
CREATE INDEX "gift_links_of_gift" ON "gift_links" USING btree ("purchase_id");
--> statement-breakpoint
CREATE INDEX "gift_links_of_revision" ON "gift_links" USING btree ("revision");
--> statement-breakpoint
CREATE INDEX "purchase_gifts_of_address" ON "purchase_gifts" USING btree (lower("email"));
--> statement-breakpoint
CREATE INDEX "purchase_gifts_revision" ON "purchase_gifts" USING btree ("revision");
--> statement-breakpoint
CREATE INDEX "purchase_gifts_received" ON "purchase_gifts" USING btree ("received_id");
--> statement-breakpoint
CREATE INDEX "purchase_gifts_of_author" ON "purchase_gifts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "purchase_gifts"."purchase_id" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_gifts_once" ON "purchase_gifts" USING btree ("product_id",lower("email")) WHERE "purchase_gifts"."purchase_id" is null and "purchase_gifts"."email" <> '';
--> statement-breakpoint
--> statement-breakpoint
CREATE UNIQUE INDEX "release_waitlist_once" ON "release_waitlist" USING btree ("product_id","email") WHERE "release_waitlist"."email" <> '';
--> statement-breakpoint
CREATE INDEX "release_waitlist_of_address" ON "release_waitlist" USING btree ("email");
--> statement-breakpoint
CREATE INDEX "release_waitlist_waiting" ON "release_waitlist" USING btree ("product_id","id") WHERE "release_waitlist"."queued_at" is null and "release_waitlist"."confirmed_at" is not null;
--> statement-breakpoint
CREATE INDEX "mails_of_purchase" ON "mails" USING btree ("purchase_id");
--> statement-breakpoint
CREATE INDEX "mails_of_message" ON "mails" USING btree ("message_id") WHERE "mails"."message_id" is not null;
--> statement-breakpoint
CREATE INDEX "mails_newest" ON "mails" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "mails_of_recipient" ON "mails" USING btree (lower("recipient"),"created_at" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "mails_searchable" ON "mails" USING gin (searchable("recipient" || ' ' || "subject") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "mails_with_body" ON "mails" USING btree ("created_at") WHERE "mails"."body" is not null;
--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("created_at") WHERE "mails"."status" = 'unsent';
--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("created_at") WHERE "mails"."status" = 'failed';
--> statement-breakpoint
CREATE INDEX "mails_given_up" ON "mails" USING btree ("given_up_at" DESC NULLS FIRST,"id") WHERE "mails"."given_up_at" is not null;
--> statement-breakpoint
CREATE INDEX "scheduled_emails_due" ON "scheduled_emails" USING btree ("kind","due_at","id") WHERE "scheduled_emails"."queued_at" is null;
--> statement-breakpoint
CREATE INDEX "scheduled_emails_under_way" ON "scheduled_emails" USING btree ("queued_at") WHERE "scheduled_emails"."queued_at" is not null and "scheduled_emails"."outcome" is null;
--> statement-breakpoint
CREATE INDEX "scheduled_emails_queued" ON "scheduled_emails" USING btree ("queued_at");
--> statement-breakpoint
CREATE INDEX "scheduled_emails_of_user" ON "scheduled_emails" USING btree ("user_id") WHERE "scheduled_emails"."user_id" is not null;
--> statement-breakpoint
CREATE UNIQUE INDEX "discount_codes_current" ON "discount_codes" USING btree ("code") WHERE "discount_codes"."ended_at" is null;
--> statement-breakpoint
CREATE INDEX "discount_uses_of_code" ON "discount_uses" USING btree ("code_id");
--> statement-breakpoint
CREATE INDEX "guest_checkouts_search" ON "guest_checkouts" USING gin ("email" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "guest_checkouts_of_network" ON "guest_checkouts" USING btree ("network","created_at") WHERE "guest_checkouts"."network" is not null;
--> statement-breakpoint
CREATE INDEX "purchase_access_of_purchase" ON "purchase_access" USING btree ("purchase_id");
--> statement-breakpoint
CREATE INDEX "purchase_access_expired" ON "purchase_access" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "purchases_newest" ON "purchases" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "purchases_own" ON "purchases" USING btree ("user_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "purchases_of_product" ON "purchases" USING btree ("product_id","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "purchases_received" ON "purchases" USING btree ("gift_of") WHERE "purchases"."gift_of" is not null;
--> statement-breakpoint
CREATE INDEX "purchases_unusual" ON "purchases" USING btree ("status","created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "purchases"."status" <> 'completed';
--> statement-breakpoint
CREATE INDEX "shipments_to_ship" ON "shipments" USING btree ("created_at","purchase_id") WHERE "shipments"."shipped_at" is null and "shipments"."is_paid";
--> statement-breakpoint
CREATE INDEX "shipments_to_ship_by_format" ON "shipments" USING btree ("format","created_at","purchase_id") WHERE "shipments"."shipped_at" is null and "shipments"."is_paid";
--> statement-breakpoint
CREATE INDEX "shipments_shipped" ON "shipments" USING btree ("shipped_at" DESC NULLS FIRST,"purchase_id" DESC NULLS FIRST) WHERE "shipments"."shipped_at" is not null;
--> statement-breakpoint
CREATE INDEX "shipments_shipped_by_format" ON "shipments" USING btree ("format","shipped_at" DESC NULLS FIRST,"purchase_id" DESC NULLS FIRST) WHERE "shipments"."shipped_at" is not null;
--> statement-breakpoint
CREATE INDEX "shipments_searchable" ON "shipments" USING gin (searchable(coalesce("name", '') || ' ' || coalesce("line1", '') || ' ' || "postal_code" || ' ' || coalesce("city", '')) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "withdrawal_declarations_of_writer" ON "withdrawal_declarations" USING btree ("email");
--> statement-breakpoint
CREATE INDEX "withdrawal_declarations_open" ON "withdrawal_declarations" USING btree ("declared_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "withdrawal_declarations"."closed_at" is null;
--> statement-breakpoint
CREATE INDEX "adjustments_of_purchase" ON "adjustments" USING btree ("purchase_id");
--> statement-breakpoint
CREATE INDEX "checkouts_searchable" ON "checkouts" USING gin (searchable("payer_name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "checkouts_rebuilt" ON "checkouts" USING btree ("rebuilt_at" DESC NULLS FIRST,"purchase_id" DESC NULLS FIRST) WHERE "checkouts"."rebuilt_at" is not null;
--> statement-breakpoint
CREATE INDEX "checkouts_to_check" ON "checkouts" USING btree ("next_check_at","purchase_id") WHERE "checkouts"."next_check_at" is not null;
--> statement-breakpoint
CREATE INDEX "checkouts_held" ON "checkouts" USING btree ("created_at" DESC NULLS FIRST,"purchase_id") WHERE "checkouts"."held_reason" is not null and "checkouts"."dismissed_at" is null;
--> statement-breakpoint
CREATE INDEX "checkouts_disputed" ON "checkouts" USING btree ("answer_by" DESC NULLS FIRST,"purchase_id") WHERE "checkouts"."answer_by" is not null;
--> statement-breakpoint
CREATE INDEX "failed_refunds_of_purchase" ON "failed_refunds" USING btree ("purchase_id");
--> statement-breakpoint
CREATE INDEX "failed_refunds_open" ON "failed_refunds" USING btree ("created_at" DESC NULLS FIRST,"external_id") WHERE "failed_refunds"."dismissed_at" is null;
--> statement-breakpoint
CREATE INDEX "payment_events_open" ON "payment_events" USING btree ("received_at","id") WHERE "payment_events"."handled_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "payment_outages_open" ON "payment_outages" USING btree (("ended_at" is null)) WHERE "payment_outages"."ended_at" is null;
--> statement-breakpoint
CREATE INDEX "payment_outages_over" ON "payment_outages" USING btree ("ended_at" DESC NULLS FIRST,"id") WHERE "payment_outages"."ended_at" is not null and "payment_outages"."dismissed_at" is null;
--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_open" ON "refund_requests" USING btree ("purchase_id") WHERE "refund_requests"."status" = 'requested';
--> statement-breakpoint
CREATE INDEX "refund_requests_of_purchase" ON "refund_requests" USING btree ("purchase_id","created_at");
--> statement-breakpoint
CREATE INDEX "refund_requests_refused" ON "refund_requests" USING btree ("created_at" DESC NULLS FIRST,"id") WHERE "refund_requests"."status" = 'refused' and "refund_requests"."dismissed_at" is null;
--> statement-breakpoint
CREATE INDEX "withdrawals_waiting" ON "withdrawals" USING btree ("declared_at" DESC NULLS FIRST,"purchase_id") WHERE "withdrawals"."decided_at" is null;
--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "audit_log_of_subject" ON "audit_log" USING btree ("subject_id","created_at");
--> statement-breakpoint
CREATE INDEX "audit_log_search" ON "audit_log" USING gin (("actor" || ' ' || "action" || ' ' || "subject" || ' ' || "detail"::text) gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "locked_buyers_until" ON "locked_buyers" USING btree ("locked_until");
--> statement-breakpoint
CREATE INDEX "contact_messages_newest" ON "contact_messages" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "contact_messages_of_writer" ON "contact_messages" USING btree ("email","created_at");
--> statement-breakpoint
CREATE INDEX "contact_messages_waiting" ON "contact_messages" USING btree ("created_at") WHERE "contact_messages"."answered_at" is null and "contact_messages"."done_at" is null and "contact_messages"."deleted_at" is null;
--> statement-breakpoint
CREATE INDEX "message_replies_of_message" ON "message_replies" USING btree ("message_id");
--> statement-breakpoint
CREATE INDEX "purchase_moves_of_purchase" ON "purchase_moves" USING btree ("purchase_id","created_at");
--> statement-breakpoint
-- A crash may lose the rate limits. Pages with free space keep the frequent updates of a row in one page.
ALTER TABLE "rate_limits" SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE "rate_limits" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "sales_day" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "sales_day_by_code" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "sales_day_by_country" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "user_count" SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE "user_sums" SET (fillfactor = 70);
--> statement-breakpoint
CREATE TYPE sales_part AS (
  day date, product_id uuid, country text, code_id uuid, purchases integer, completed integer, revenue numeric,
  sold integer, gross numeric, refunded numeric, free integer, tests integer, begun integer, paid integer,
  link_tax numeric
);
--> statement-breakpoint
-- Returns how the buyer of an order is called, null where no name is known. The parcel of a gift bears another's name,
-- and what is left of an erased account has none.
CREATE OR REPLACE FUNCTION buyer_name(order_id uuid) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT coalesce(nullif(account.display_name, ''), CASE WHEN account.email IS DISTINCT FROM '' THEN
    coalesce(checkout.payer_name, CASE WHEN NOT (b.is_given OR b.gift_of IS NOT NULL OR EXISTS (
      SELECT FROM purchase_gifts g WHERE g.purchase_id = b.id)) THEN parcel.name END) END)
  FROM purchases b LEFT JOIN profiles account ON account.user_id = b.user_id
    LEFT JOIN checkouts checkout ON checkout.purchase_id = b.id
    LEFT JOIN shipments parcel ON parcel.purchase_id = b.id
  WHERE b.id = order_id
$$;
--> statement-breakpoint
-- Returns how a reader is called where no order is meant: by the account, else as in the newest order that names its
-- buyer. It looks at the newest twenty, so that a reader of thousands costs no more.
CREATE OR REPLACE FUNCTION reader_name(account_id uuid) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT coalesce(nullif(account.display_name, ''), (
    SELECT name FROM (
      SELECT buyer_name(b.id) AS name, b.created_at, b.id FROM purchases b WHERE b.user_id = account_id
      ORDER BY b.created_at DESC, b.id DESC LIMIT 20) newest
    WHERE name IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1))
  FROM profiles account WHERE account.user_id = account_id
$$;
--> statement-breakpoint
-- An erasure takes a person's name and words out of what is otherwise only ever added to.
CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('lectern.is_erasing', true) = 'true' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION settings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('settings', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- What the public pages show has changed: products, their files, parts or stock, the excerpt, or the published book. Every
-- process drops its cached pages.
CREATE OR REPLACE FUNCTION shop_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shop_changed', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Whether an owner of the product would miss a file: the newest of one of its formats is lost.
CREATE OR REPLACE FUNCTION has_lost_file(product_id uuid) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT EXISTS (
    SELECT FROM product_files lost
    WHERE lost.product_id = $1 AND lost.lost_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM product_files newer
      WHERE newer.product_id = $1 AND newer.file_format = lost.file_format
        AND (newer.created_at, newer.id) > (lost.created_at, lost.id)))
$$;
--> statement-breakpoint
-- Today, in the time zone of the shop.
CREATE OR REPLACE FUNCTION shop_day() RETURNS date STABLE LANGUAGE sql AS $$
  SELECT (now() AT TIME ZONE time_zone)::date FROM sums_settings
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION is_released(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT product.release_on IS NULL OR product.release_on <= shop_day()
$$;
--> statement-breakpoint
-- When it is complete; null when nothing of it, nor of a bundle's parts, waits for its day.
CREATE OR REPLACE FUNCTION pending_release(product products) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN max(p.release_on) IS NOT NULL THEN
    jsonb_build_object('on', max(p.release_on), 'is_partial', is_released(product)) END
  FROM products p
  WHERE p.release_on > shop_day() AND (p.id = product.id OR product.format = 'bundle' AND p.id IN (
    SELECT i.product_id FROM bundle_items i WHERE i.bundle_id = product.id))
$$;
--> statement-breakpoint
-- The beginning of the day on which it was or will be complete; null for what always was.
CREATE OR REPLACE FUNCTION release_moment(of_product uuid) RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT max(p.release_on)::timestamp AT TIME ZONE (SELECT time_zone FROM sums_settings)
  FROM products p
  WHERE p.id = of_product OR p.id IN (SELECT i.product_id FROM bundle_items i WHERE i.bundle_id = of_product)
$$;
--> statement-breakpoint
-- Whether there is anything to download: by the format, and for a bundle by its items.
CREATE OR REPLACE FUNCTION gives_download(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN true
    WHEN 'bundle' THEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id)
      OR EXISTS (SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
        WHERE i.bundle_id = product.id AND part.format = 'digital')
    ELSE false END
$$;
--> statement-breakpoint
-- A file may be missing until the day.
CREATE OR REPLACE FUNCTION delivery_gap(product products) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN product.format IN ('paperback', 'hardcover') THEN NULL
    WHEN has_lost_file(product.id) OR product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital' AND has_lost_file(part.id)) THEN 'lost_file'
    WHEN product.format = 'bundle' AND is_released(product) AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital' AND is_released(part)
        AND NOT EXISTS (SELECT FROM product_files f WHERE f.product_id = part.id)) THEN 'part_without_file'
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i WHERE i.bundle_id = product.id) THEN NULL
    WHEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id) THEN NULL
    WHEN product.format = 'bundle' THEN 'empty_bundle'
    WHEN NOT is_released(product) THEN NULL
    ELSE 'no_file' END
$$;
--> statement-breakpoint
-- Whether it goes by post: paper, a bundle with paper in it, and a bundle without items.
CREATE OR REPLACE FUNCTION needs_shipping(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN false
    WHEN 'bundle' THEN coalesce((
      SELECT bool_or(part.format <> 'digital') FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id), true)
    ELSE true END
$$;
--> statement-breakpoint
-- The products on paper that a purchase takes from the shelf: the product itself, or the items of a bundle.
CREATE OR REPLACE FUNCTION copies_of(product products) RETURNS SETOF uuid STABLE LANGUAGE sql AS $$
  SELECT product.id WHERE product.format IN ('paperback', 'hardcover')
  UNION ALL
  SELECT part.id FROM bundle_items i JOIN products part ON part.id = i.product_id
  WHERE product.format = 'bundle' AND i.bundle_id = product.id AND part.format IN ('paperback', 'hardcover')
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION is_sold_out(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT EXISTS (SELECT FROM stock s WHERE s.copies = 0 AND s.product_id IN (SELECT copies_of(product)))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION is_completed(status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN status IN ('completed', 'partially_refunded');
--> statement-breakpoint
-- Dollars that stay with the shop. A bank may take only a part in a dispute; a dispute that took nothing counts for nothing.
CREATE OR REPLACE FUNCTION net_amount(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN is_completed(status) OR (status = 'disputed' AND refunded > 0) THEN amount - refunded ELSE 0.00 END;
--> statement-breakpoint
-- Dollars that count on the day of the purchase; what was given back counts on the days of its adjustments.
CREATE OR REPLACE FUNCTION day_revenue(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN is_completed(status) THEN amount
    WHEN status IN ('refunded', 'disputed') THEN net_amount(status, amount, refunded) + refunded
    ELSE 0 END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION shop_currency() RETURNS text STABLE LANGUAGE sql
  RETURN (SELECT currency FROM sums_settings);
--> statement-breakpoint
-- What the published book promises; 30 days, as the sample does, while nothing was published.
CREATE OR REPLACE FUNCTION current_refund_days() RETURNS integer STABLE LANGUAGE sql AS $$
  SELECT coalesce((SELECT (document ->> 'refund_days')::integer FROM book_versions ORDER BY number DESC LIMIT 1), 30)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION shipments_add(bought purchases) RETURNS void LANGUAGE sql AS $$
  INSERT INTO shipments (purchase_id, format, created_at)
  SELECT bought.id, p.format, bought.created_at FROM products p WHERE p.id = bought.product_id AND needs_shipping(p)
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION shop_day(moment timestamptz) RETURNS date LANGUAGE sql STABLE
  RETURN (moment AT TIME ZONE (SELECT time_zone FROM sums_settings))::date;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION is_in_sums(bought purchases) RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
    FROM sums_settings s);
--> statement-breakpoint
-- Tax that Link owes of what is kept, as net_amount has what is kept. A part that was given back takes its share with it.
CREATE OR REPLACE FUNCTION net_link_tax(bought purchases) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN is_completed(bought.status) OR (bought.status = 'disputed' AND bought.refunded > 0)
    THEN bought.link_tax - bought.link_tax_back ELSE 0.00 END;
--> statement-breakpoint
-- A copy that was received counts with the purchase of who gave it.
CREATE OR REPLACE FUNCTION purchase_parts(bought purchases, sign integer) RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (bought.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id,
    CASE WHEN i.counts AND bought.status <> 'canceled' THEN sign ELSE 0 END,
    CASE WHEN i.counts AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    0::numeric,
    CASE WHEN i.counts AND bought.amount = 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN bought.is_test AND NOT s.counts_tests AND bought.gift_of IS NULL AND i.is_paid THEN sign ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 THEN sign ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 AND i.is_paid THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * (net_link_tax(bought) + CASE WHEN i.is_paid THEN bought.link_tax_back ELSE 0 END) ELSE 0 END
  FROM sums_settings s CROSS JOIN LATERAL (SELECT
    bought.gift_of IS NULL AND (NOT bought.is_test OR s.counts_tests)
      AND (bought.amount = 0 OR bought.currency = s.currency) AS counts,
    bought.status NOT IN ('pending', 'canceled') AS is_paid) i
$$;
--> statement-breakpoint
-- An adjustment counts on its own day, for the product, country and code of its purchase.
CREATE OR REPLACE FUNCTION adjustment_parts(bought purchases, made adjustments, sign integer)
RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (made.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id, 0, 0,
    sign * made.amount, 0, 0::numeric, -sign * made.amount, 0, 0, 0, 0, sign * made.link_tax
  FROM sums_settings s
  WHERE (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
$$;
--> statement-breakpoint
-- Rows are locked in the order of their keys. Countries and codes have no shards: the rows to read would be 16 times as
-- many, and a lock is held during the commit only.
CREATE OR REPLACE FUNCTION sums_write(parts sales_part[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sales_day AS s (day, product_id, shard, purchases, completed, revenue, sold, gross, refunded, free, tests,
    begun, paid, link_tax)
  SELECT day, product_id, pg_backend_pid() % 16, sum(purchases), sum(completed), sum(revenue), sum(sold), sum(gross),
    sum(refunded), sum(free), sum(tests), sum(begun), sum(paid), sum(link_tax)
  FROM unnest(parts) GROUP BY day, product_id
  HAVING (sum(purchases), sum(completed), sum(revenue), sum(sold), sum(gross), sum(refunded), sum(free), sum(tests),
    sum(begun), sum(paid), sum(link_tax)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  ORDER BY day, product_id
  ON CONFLICT (day, product_id, shard) DO UPDATE SET
    purchases = s.purchases + excluded.purchases, completed = s.completed + excluded.completed,
    revenue = s.revenue + excluded.revenue, sold = s.sold + excluded.sold, gross = s.gross + excluded.gross,
    refunded = s.refunded + excluded.refunded, free = s.free + excluded.free, tests = s.tests + excluded.tests,
    begun = s.begun + excluded.begun, paid = s.paid + excluded.paid, link_tax = s.link_tax + excluded.link_tax;
  INSERT INTO sales_day_by_country AS s (day, product_id, country, sold, free, revenue)
  SELECT day, product_id, country, sum(sold), sum(free), sum(gross - refunded)
  FROM unnest(parts) WHERE country IS NOT NULL GROUP BY day, product_id, country
  HAVING (sum(sold), sum(free), sum(gross - refunded)) <> (0, 0, 0)
  ORDER BY day, product_id, country
  ON CONFLICT (day, product_id, country) DO UPDATE SET
    sold = s.sold + excluded.sold, free = s.free + excluded.free, revenue = s.revenue + excluded.revenue;
  INSERT INTO sales_day_by_code AS s (day, product_id, code_id, sold, free, revenue)
  SELECT day, product_id, code_id, sum(sold), sum(free), sum(gross - refunded)
  FROM unnest(parts) WHERE code_id IS NOT NULL GROUP BY day, product_id, code_id
  HAVING (sum(sold), sum(free), sum(gross - refunded)) <> (0, 0, 0)
  ORDER BY day, product_id, code_id
  ON CONFLICT (day, product_id, code_id) DO UPDATE SET
    sold = s.sold + excluded.sold, free = s.free + excluded.free, revenue = s.revenue + excluded.revenue;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_add_user(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made integer := CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END;
BEGIN
  IF NOT is_in_sums(bought) THEN
    RETURN;
  END IF;
  IF made < 0 THEN
    PERFORM FROM user_sums WHERE user_id = bought.user_id FOR UPDATE;
  END IF;
  UPDATE user_sums SET
    total_purchases = total_purchases + made,
    total_spent = total_spent + sign * net_amount(bought.status, bought.amount, bought.refunded),
    last_purchase = CASE
      WHEN made > 0 THEN greatest(last_purchase, bought.created_at)
      WHEN made = 0 OR last_purchase > bought.created_at THEN last_purchase
      ELSE (SELECT max(p.created_at) FROM purchases p
        WHERE p.user_id = bought.user_id AND p.status <> 'canceled' AND is_in_sums(p)) END
  WHERE user_id = bought.user_id;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION count_user() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- Days before users, always: two purchases that change at the same moment cannot deadlock.
CREATE OR REPLACE FUNCTION sums_follow_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM sums_write(ARRAY(SELECT n FROM purchase_parts(NEW, 1) n));
    PERFORM sums_add_user(NEW, 1);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM sums_write(ARRAY(SELECT o FROM purchase_parts(OLD, -1) o));
    PERFORM sums_add_user(OLD, -1);
  ELSE
    IF (OLD.status, OLD.amount, OLD.refunded, OLD.link_tax, OLD.link_tax_back, OLD.product_id, OLD.created_at, OLD.country, OLD.code_id)
      IS DISTINCT FROM (NEW.status, NEW.amount, NEW.refunded, NEW.link_tax, NEW.link_tax_back, NEW.product_id, NEW.created_at, NEW.country, NEW.code_id) THEN
      PERFORM sums_write(ARRAY(SELECT o FROM purchase_parts(OLD, -1) o UNION ALL SELECT n FROM purchase_parts(NEW, 1) n));
    END IF;
    IF (OLD.status, OLD.amount, OLD.refunded, OLD.user_id, OLD.created_at)
      IS DISTINCT FROM (NEW.status, NEW.amount, NEW.refunded, NEW.user_id, NEW.created_at) THEN
      PERFORM sums_add_user(OLD, -1);
      PERFORM sums_add_user(NEW, 1);
    END IF;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_follow_adjustment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bought purchases;
BEGIN
  UPDATE purchases SET refunded = refunded - NEW.amount, link_tax_back = link_tax_back - NEW.link_tax WHERE id = NEW.purchase_id RETURNING * INTO bought;
  PERFORM sums_write(ARRAY(SELECT p FROM adjustment_parts(bought, NEW, 1) p));
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- What was given back goes where its purchase goes, and before its rows are deleted with it.
CREATE OR REPLACE FUNCTION sums_move_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM sums_write(ARRAY(
      SELECT p FROM adjustments a, adjustment_parts(OLD, a, -1) p WHERE a.purchase_id = OLD.id));
    RETURN OLD;
  END IF;
  IF (OLD.product_id, OLD.country, OLD.code_id) IS DISTINCT FROM (NEW.product_id, NEW.country, NEW.code_id) THEN
    PERFORM sums_write(ARRAY(
      SELECT p FROM adjustments a, adjustment_parts(OLD, a, -1) p WHERE a.purchase_id = OLD.id
      UNION ALL SELECT p FROM adjustments a, adjustment_parts(NEW, a, 1) p WHERE a.purchase_id = OLD.id));
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_rebuild() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  with_tests boolean := (SELECT counts_tests FROM sums_settings);
  of_currency text := shop_currency();
BEGIN
  LOCK TABLE purchases, adjustments, profiles IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM sales_day;
  DELETE FROM sales_day_by_country;
  DELETE FROM sales_day_by_code;
  -- Sums of sums: each set of groups for itself would sort all purchases.
  WITH finest AS (
    SELECT n.day, n.product_id, n.country, n.code_id, sum(purchases) AS purchases, sum(completed) AS completed,
      sum(revenue) AS revenue, sum(sold) AS sold, sum(gross) AS gross, sum(n.refunded) AS refunded, sum(free) AS free,
      sum(tests) AS tests, sum(begun) AS begun, sum(paid) AS paid, sum(n.link_tax) AS link_tax
    FROM purchases p, purchase_parts(p, 1) n GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT n.day, n.product_id, n.country, n.code_id, 0, 0, n.revenue, 0, 0, n.refunded, 0, 0, 0, 0, n.link_tax
    FROM adjustments a JOIN purchases p ON p.id = a.purchase_id, adjustment_parts(p, a, 1) n
  ), parts AS MATERIALIZED (
    SELECT day, product_id, country, code_id, grouping(country, code_id) AS without, sum(purchases) AS purchases,
      sum(completed) AS completed, sum(revenue) AS revenue, sum(sold) AS sold, sum(gross) AS gross,
      sum(refunded) AS refunded, sum(free) AS free, sum(tests) AS tests, sum(begun) AS begun, sum(paid) AS paid,
      sum(link_tax) AS link_tax
    FROM finest
    GROUP BY GROUPING SETS ((day, product_id), (day, product_id, country), (day, product_id, code_id))
  ), by_country AS (
    INSERT INTO sales_day_by_country (day, product_id, country, sold, free, revenue)
    SELECT day, product_id, country, sold, free, gross - refunded FROM parts WHERE without = 1 AND country IS NOT NULL
  ), by_code AS (
    INSERT INTO sales_day_by_code (day, product_id, code_id, sold, free, revenue)
    SELECT day, product_id, code_id, sold, free, gross - refunded FROM parts WHERE without = 2 AND code_id IS NOT NULL
  )
  INSERT INTO sales_day (day, product_id, shard, purchases, completed, revenue, sold, gross, refunded, free, tests,
    begun, paid, link_tax)
  SELECT day, product_id, 0, purchases, completed, revenue, sold, gross, refunded, free, tests, begun, paid, link_tax
  FROM parts WHERE without = 3;
  DELETE FROM user_sums;
  INSERT INTO user_sums (user_id, total_purchases, total_spent, last_purchase)
  SELECT p.user_id, coalesce(s.purchases, 0), coalesce(s.spent, 0), s.last
  FROM profiles p LEFT JOIN (
    SELECT user_id, count(*) AS purchases, max(created_at) AS last, sum(net_amount(status, amount, refunded)) AS spent
    FROM purchases WHERE status <> 'canceled' AND (with_tests OR NOT is_test)
      AND (amount = 0 OR currency = of_currency) GROUP BY user_id
  ) s USING (user_id);
  DELETE FROM user_count;
  INSERT INTO user_count (shard, users) SELECT 0, count(*) FROM profiles;
END
$$;
--> statement-breakpoint
-- Running shops say every hour which places of backups they have; one that none names for three hours was given up.
CREATE OR REPLACE FUNCTION is_place_in_use(seen_at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT seen_at > now() - interval '3 hours'
$$;
--> statement-breakpoint
-- A purchase's status, however it came to be: its parcel, once it is paid; and what it gives back when it ends, the use of
-- its code and its copies in stock. Rows are locked in this order.
CREATE OR REPLACE FUNCTION follow_purchase_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- A test payment never counts as a use of its discount code.
  uses_code boolean := NEW.status <> 'canceled' AND NOT NEW.is_test;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF is_completed(NEW.status) THEN
      PERFORM shipments_add(NEW);
    END IF;
    RETURN NULL;
  END IF;
  IF OLD.status = NEW.status THEN
    RETURN NULL;
  END IF;
  IF 'canceled' IN (OLD.status, NEW.status) THEN
    UPDATE discount_uses SET is_counted = uses_code WHERE purchase_id = NEW.id AND is_counted <> uses_code;
    IF FOUND THEN
      UPDATE discount_codes SET uses = uses + CASE WHEN uses_code THEN 1 ELSE -1 END
        WHERE id = (SELECT code_id FROM discount_uses WHERE purchase_id = NEW.id);
    END IF;
  END IF;
  UPDATE shipments SET is_paid = is_completed(NEW.status) WHERE purchase_id = NEW.id;
  IF NOT FOUND AND is_completed(NEW.status) THEN
    PERFORM shipments_add(NEW);
  END IF;
  IF NEW.status = 'canceled' OR NEW.status = 'refunded'
    AND NOT EXISTS (SELECT FROM shipments WHERE purchase_id = NEW.id AND shipped_at IS NOT NULL) THEN
    PERFORM FROM stock WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id)
      ORDER BY product_id FOR UPDATE;
    UPDATE stock SET copies = copies + 1, updated_at = now()
      WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id);
    DELETE FROM taken_copies WHERE purchase_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- A test order counts as any other until the shop takes money or an own book opens.
CREATE OR REPLACE FUNCTION counts_tests() RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT s.counts_tests FROM sums_settings s);
--> statement-breakpoint
ALTER TABLE "purchases"
  ALTER COLUMN "currency" SET DEFAULT shop_currency(),
  ALTER COLUMN "refund_days" SET DEFAULT current_refund_days();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER adjustments_append_only BEFORE UPDATE ON adjustments
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER settings_changed AFTER INSERT OR UPDATE OR DELETE ON "settings"
  FOR EACH STATEMENT EXECUTE FUNCTION settings_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER setting_secrets_changed AFTER INSERT OR UPDATE OR DELETE ON "auth"."setting_secrets"
  FOR EACH STATEMENT EXECUTE FUNCTION settings_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER products_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER product_files_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON product_files
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER bundle_items_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON bundle_items
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
-- The pages say only whether a product is sold out: other changes of the number leave them cached.
CREATE OR REPLACE TRIGGER stock_sold_out AFTER UPDATE ON stock
  FOR EACH ROW WHEN ((OLD.copies = 0) IS DISTINCT FROM (NEW.copies = 0)) EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER stock_counted AFTER INSERT OR DELETE ON stock
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER book_versions_changed AFTER INSERT ON book_versions
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
-- Not deferred: a purchase in the same transaction needs the user's row in user_sums.
CREATE OR REPLACE TRIGGER users_counted AFTER INSERT OR DELETE ON profiles
  FOR EACH ROW EXECUTE FUNCTION count_user();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER sums_of_adjustment AFTER INSERT ON adjustments
  FOR EACH ROW EXECUTE FUNCTION sums_follow_adjustment();
--> statement-breakpoint
-- Deferred: the rows of the sums are locked only at commit, so that concurrent purchases do not wait for each other.
CREATE CONSTRAINT TRIGGER sums_of_purchase AFTER INSERT OR DELETE
  OR UPDATE OF status, amount, refunded, link_tax, link_tax_back, product_id, user_id, created_at, country, code_id ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sums_follow_purchase();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER sums_of_moved_purchase BEFORE DELETE OR UPDATE OF product_id, country, code_id ON purchases
  FOR EACH ROW EXECUTE FUNCTION sums_move_adjustments();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER status_of_purchase AFTER INSERT OR UPDATE OF status ON purchases
  FOR EACH ROW EXECUTE FUNCTION follow_purchase_status();
--> statement-breakpoint
INSERT INTO sums_settings (time_zone) VALUES ('UTC');
--> statement-breakpoint
INSERT INTO user_count (shard, users) VALUES (0, 0);--> statement-breakpoint
CREATE TABLE "subscriber_links" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"subscriber_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscribers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"token" text NOT NULL,
	"words" text,
	"language" text,
	"source" text,
	"purchase_id" uuid,
	"agreed_at" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"requested_words" text,
	"requested_language" text,
	"requested_source" text,
	"requested_purchase_id" uuid,
	"requested_at" timestamp with time zone,
	"request_ends_at" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	"mails" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "subscribers_email_unique" UNIQUE("email"),
	CONSTRAINT "subscribers_token_unique" UNIQUE("token"),
	CONSTRAINT "subscribers_source" CHECK (source in ('order', 'letters', 'account', 'excerpt')),
	CONSTRAINT "subscribers_requested_source" CHECK (requested_source in ('order', 'letters', 'account', 'excerpt')),
	CONSTRAINT "subscribers_agreed" CHECK (num_nulls("subscribers"."words", "subscribers"."language", "subscribers"."source", "subscribers"."agreed_at", "subscribers"."confirmed_at") in (0, 5)),
	CONSTRAINT "subscribers_requested" CHECK (num_nulls("subscribers"."requested_words", "subscribers"."requested_language", "subscribers"."requested_source", "subscribers"."requested_at", "subscribers"."request_ends_at") in (0, 5)),
	CONSTRAINT "subscribers_ended" CHECK ("subscribers"."ended_at" is null or "subscribers"."confirmed_at" is not null),
	CONSTRAINT "subscribers_any" CHECK ("subscribers"."confirmed_at" is not null or "subscribers"."requested_at" is not null)
);
--> statement-breakpoint
CREATE TABLE "subscription_requests" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"words" text NOT NULL,
	"language" text NOT NULL,
	"requested_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "subscriber_links" ADD CONSTRAINT "subscriber_links_subscriber_id_subscribers_id_fk" FOREIGN KEY ("subscriber_id") REFERENCES "public"."subscribers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscribers" ADD CONSTRAINT "subscribers_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscribers" ADD CONSTRAINT "subscribers_requested_purchase_id_purchases_id_fk" FOREIGN KEY ("requested_purchase_id") REFERENCES "public"."purchases"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "subscription_requests" ADD CONSTRAINT "subscription_requests_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "subscriber_links_of_subscriber" ON "subscriber_links" USING btree ("subscriber_id");--> statement-breakpoint
CREATE INDEX "subscribers_newest" ON "subscribers" USING btree ("confirmed_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "subscribers"."confirmed_at" is not null;--> statement-breakpoint
CREATE INDEX "subscribers_requested_with" ON "subscribers" USING btree ("requested_purchase_id") WHERE "subscribers"."requested_purchase_id" is not null;--> statement-breakpoint
CREATE INDEX "subscribers_came_with" ON "subscribers" USING btree ("purchase_id") WHERE "subscribers"."purchase_id" is not null;--> statement-breakpoint
CREATE TABLE "excerpt_file" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"file_path" text NOT NULL,
	"file_format" text NOT NULL,
	"file_size" bigint NOT NULL,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "excerpt_file_file_path_unique" UNIQUE("file_path"),
	CONSTRAINT "excerpt_file_single" CHECK (id = 1),
	CONSTRAINT "excerpt_file_format" CHECK (file_format in ('epub', 'pdf'))
);
--> statement-breakpoint
CREATE TABLE "excerpt_requests" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"hash" "bytea",
	"words" text,
	"language" text,
	"downloads" integer DEFAULT 0 NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	CONSTRAINT "excerpt_requests_hash_unique" UNIQUE("hash"),
	CONSTRAINT "excerpt_requests_ticked" CHECK (num_nulls("excerpt_requests"."words", "excerpt_requests"."language") in (0, 2))
);
--> statement-breakpoint
CREATE INDEX "excerpt_requests_of_address" ON "excerpt_requests" USING btree ("email");
--> statement-breakpoint
CREATE OR REPLACE TRIGGER excerpt_file_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON excerpt_file
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"adjustment_id" uuid,
	"email" text,
	"status" text DEFAULT 'waiting' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"attempted_at" timestamp with time zone,
	"error" text,
	"job_id" uuid,
	"settled_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_number_unique" UNIQUE("number"),
	CONSTRAINT "webhook_deliveries_adjustment_id_unique" UNIQUE("adjustment_id"),
	CONSTRAINT "webhook_deliveries_event" CHECK (event in ('subscriber.confirmed', 'subscriber.ended', 'order.paid', 'order.refunded', 'webhook.test')),
	CONSTRAINT "webhook_deliveries_status" CHECK (status in ('waiting', 'delivered', 'dropped', 'failed')),
	CONSTRAINT "webhook_deliveries_settled" CHECK (("webhook_deliveries"."settled_at" is null) = ("webhook_deliveries"."status" = 'waiting')),
	CONSTRAINT "webhook_deliveries_email" CHECK ("webhook_deliveries"."email" is null or "webhook_deliveries"."event" = 'subscriber.ended' and "webhook_deliveries"."settled_at" is null)
);
--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("number") WHERE "webhook_deliveries"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_subject" ON "webhook_deliveries" USING btree ("subject_id","number") WHERE "webhook_deliveries"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_address" ON "webhook_deliveries" USING btree ("email","number") WHERE "webhook_deliveries"."email" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_old" ON "webhook_deliveries" USING btree ("created_at");
