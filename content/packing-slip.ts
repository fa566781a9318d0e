// The owner's words on the slip in each parcel.
export const slip = {
  thanks: 'Thank you for your order. May these pages serve you well, and the one you hand them on to.',
  questions: 'Is something not right with your book? Write to us and we will make it good.',
} as const
