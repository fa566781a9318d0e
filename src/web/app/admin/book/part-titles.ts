// The parts of the book's form, by the name that an address has for them (`/admin/book?part=…`).
export const partTitles = {
  title: 'Title and description',
  looks: 'Cover and colors',
  author: 'Author and invitation',
  blueprint: 'Introduction',
  preview: 'Preview',
  words: 'Chapters',
  facts: 'ISBN, pages and publisher',
  promises: 'Promises and rating',
  questions: 'Questions and answers',
  quotes: 'Quotations',
  text: 'Your own text',
  contact: 'Contact and closing',
  sections: 'Sections of the page',
  legal: 'Legal pages',
  texts: 'Words of pages and emails',
  slip: 'Packing slip',
}

export type PartName = keyof typeof partTitles
