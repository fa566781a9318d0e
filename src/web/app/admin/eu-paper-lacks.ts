// The words in which Today and the checks before the opening name what a book on paper lacks in the European Union.
import type { EuPaperLack } from '#contract/overview/today.ts'

type Words = { title: string; text: string; to: string; action: string }

export const euPaperLacks: Record<EuPaperLack, Words> = {
  notice: {
    title: 'The notice on the legal guarantee is missing',
    text: 'Since 27 September 2026 it is shown with every book on paper that is sold into the European Union.',
    to: '/admin/settings/shipping#notice',
    action: 'Add it',
  },
  maker: {
    title: 'Your books on paper do not say who made them',
    text: 'The law of the European Union asks for name, postal address and email: fill them in under “Legal pages” of the Book page.',
    to: '/admin/book?part=legal',
    action: 'Name the maker',
  },
  delivery_time: {
    title: 'How long does delivery take?',
    text: 'Buyers in the European Union have to read it before they order a book on paper.',
    to: '/admin/settings/shipping#delivery_days_min',
    action: 'Say it',
  },
}
