// An example of a packing slip beside its texts.
import type { BookDocument } from '#contract/book/book.ts'
import { Button } from '../../../components/button.tsx'
import { useBook } from '../../../shop.ts'
import { Slip } from '../shipping/slip.tsx'

type SlipPreviewProps = { className: string; texts: BookDocument['packing_slip']; onClose: () => void }

export function SlipPreview({ className, texts, onClose }: SlipPreviewProps) {
  const { title } = useBook()
  return (
    <section
      aria-label="Preview of the packing slip"
      className={`grid grid-cols-[minmax(0,1fr)] gap-3 ${className}`}
    >
      <p className="xl:hidden">
        <Button look="outline" onClick={onClose}>
          Back to the form
        </Button>
      </p>
      <p className="text-sm text-pretty text-soft">
        An example, with these texts. Title, language and your address are those of the published page.
      </p>
      <Slip
        parcel={{ ...example, product_name: title, contents: [{ ...part, name: title }] }}
        texts={texts}
      />
    </section>
  )
}

const part = { product_id: 'example', format: 'paperback' } as const

const example = {
  number: 1042,
  is_test: false,
  address: {
    name: 'Ruth Example',
    line1: '12 Field Lane',
    line2: '',
    city: 'Ottawa',
    state: 'ON',
    postal_code: 'K1A 0A1',
    country: 'CA',
    phone: '',
  },
  display_name: null,
  email: 'ruth@example.com',
  created_at: '2026-01-05T12:00:00Z',
  release_on: null,
  format: 'paperback',
} as const
