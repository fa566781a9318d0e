/** Where who looks for a purchase goes after the sign-in, by which the email with its code is counted apart. */
export const findPurchaseNext = '/dashboard#find-purchase'
