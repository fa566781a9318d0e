// What the page, the toast and the notice promise to a visitor who writes.
export const replyTime = '2-3 business days'
