/** How long downloads are stored. The longest time that a card network allows for a dispute is 540 days. */
export const evidenceDays = 730
