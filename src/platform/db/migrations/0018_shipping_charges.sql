CREATE TABLE "shipping_charges" (
	"purchase_id" uuid PRIMARY KEY NOT NULL,
	"country" text,
	"amount" numeric(10, 2) NOT NULL,
	CONSTRAINT "shipping_charges_amount" CHECK ("shipping_charges"."amount" >= 0)
);
--> statement-breakpoint
ALTER TABLE "shipping_charges" ADD CONSTRAINT "shipping_charges_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;