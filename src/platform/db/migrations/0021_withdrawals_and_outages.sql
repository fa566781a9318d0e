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
CREATE TABLE "withdrawals" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"waits_for" text,
	"decision" text,
	"refusal" text,
	"decided_at" timestamp with time zone,
	"declared_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "withdrawals_waits_for" CHECK (waits_for in ('return', 'repeat', 'other_refund')),
	CONSTRAINT "withdrawals_decision" CHECK (decision in ('given', 'refused')),
	CONSTRAINT "withdrawals_decided" CHECK (("withdrawals"."decision" is null) = ("withdrawals"."decided_at" is null)),
	CONSTRAINT "withdrawals_refusal" CHECK (("withdrawals"."decision" is not distinct from 'refused') = ("withdrawals"."refusal" is not null))
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "refund_terms" text DEFAULT 'always' NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_outage_buyers" ADD CONSTRAINT "payment_outage_buyers_outage_id_payment_outages_id_fk" FOREIGN KEY ("outage_id") REFERENCES "public"."payment_outages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_outages_open" ON "payment_outages" USING btree (("ended_at" is null)) WHERE "payment_outages"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "payment_outages_over" ON "payment_outages" USING btree ("ended_at" DESC NULLS FIRST,"id") WHERE "payment_outages"."ended_at" is not null and "payment_outages"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "withdrawals_waiting" ON "withdrawals" USING btree ("declared_at" DESC NULLS FIRST,"purchase_id") WHERE "withdrawals"."decided_at" is null;