// How long a buyer may have the money back without giving a reason; promised on the page, in the mails and on receipts.
export const refundDays = 30
