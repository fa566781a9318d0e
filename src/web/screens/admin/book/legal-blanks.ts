import type { LegalBlank } from '#features/book/contract/legal.ts'

export const blankLabels: Record<LegalBlank, { label: string; hint?: string }> = {
  seller: { label: 'Name of the seller', hint: 'The person or company with whom buyers make the contract.' },
  address: { label: 'Postal address' },
  email: { label: 'Email address for legal questions' },
  law: { label: 'Country whose law applies', hint: 'As in “Ireland”.' },
  host: {
    label: 'Who runs the server',
    hint: 'The company and its country: that is where the shop’s data are.',
  },
  represented_by: { label: 'Represented by', hint: 'Who acts for a company.' },
  phone: { label: 'Phone' },
  register: { label: 'Register and number' },
  tax_number: { label: 'VAT or tax number' },
  responsible: { label: 'Responsible for the content' },
  authority: { label: 'Data protection authority', hint: 'To which readers may complain.' },
}
