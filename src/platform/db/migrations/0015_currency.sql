ALTER TABLE "sums_settings" ADD COLUMN "currency" text DEFAULT 'usd' NOT NULL;
--> statement-breakpoint
CREATE FUNCTION shop_currency() RETURNS text STABLE LANGUAGE sql
  RETURN (SELECT currency FROM sums_settings);
--> statement-breakpoint
-- Purchases before this one are in dollars. A constant default first: with it, the table is not rewritten.
ALTER TABLE "purchases" ADD COLUMN "currency" text DEFAULT 'usd' NOT NULL;
--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "currency" SET DEFAULT shop_currency();
