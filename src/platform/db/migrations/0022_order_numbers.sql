-- A number that people can say. Purchases that exist are numbered in the order in which they were made.
ALTER TABLE "purchases" ADD COLUMN "number" integer;
--> statement-breakpoint
-- Queued trigger events of earlier statements would refuse the next one; the sums do not depend on the number.
SET CONSTRAINTS ALL IMMEDIATE;
--> statement-breakpoint
ALTER TABLE "purchases" DISABLE TRIGGER USER;
--> statement-breakpoint
UPDATE "purchases" SET "number" = numbered."number" FROM (
  SELECT "id", 1000 + row_number() OVER (ORDER BY "created_at", "id") AS "number" FROM "purchases"
) numbered WHERE numbered."id" = "purchases"."id";
--> statement-breakpoint
ALTER TABLE "purchases" ENABLE TRIGGER USER;
--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "number" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "number" ADD GENERATED ALWAYS AS IDENTITY (START WITH 1001);
--> statement-breakpoint
SELECT setval(pg_get_serial_sequence('purchases', 'number'), max("number")) FROM "purchases" HAVING count(*) > 0;
--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_number" UNIQUE ("number");
--> statement-breakpoint
-- What Stripe says of a purchase's newest dispute, for the purchase's page. Disputes that are known are asked about once more.
ALTER TABLE "checkouts" ADD COLUMN "disputed_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "dispute_status" text;
--> statement-breakpoint
UPDATE "checkouts" SET "next_check_at" = now() WHERE "purchase_id" IN (
  SELECT "purchase_id" FROM "adjustments" WHERE "kind" = 'dispute'
);
