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
ALTER TABLE "withdrawal_declarations" ADD CONSTRAINT "withdrawal_declarations_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "withdrawal_declarations_of_writer" ON "withdrawal_declarations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "withdrawal_declarations_open" ON "withdrawal_declarations" USING btree ("declared_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "withdrawal_declarations"."closed_at" is null;