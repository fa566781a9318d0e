/** So long works the link of a receipt, or one that is made on a page. Without zod: the page of a purchase carries this. */
export const linkDays = 30
