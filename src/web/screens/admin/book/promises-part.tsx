import { daysPlaceholder, type BookDocument } from '#contract/book/book.ts'
import { Line, NumberLine, Tick, type PartProps } from './draft-fields.tsx'

const claims: { name: keyof BookDocument['claims']; label: string }[] = [
  { name: 'refund', label: `Refund (${daysPlaceholder} stands for the number of days)` },
  { name: 'ships', label: 'While shipping is free' },
  { name: 'pdf', label: 'While every digital product has a PDF' },
  { name: 'no_pdf', label: 'While some digital product has no PDF' },
  { name: 'digital', label: 'While something digital is for sale' },
  { name: 'bonus', label: 'While the bundle has a bonus' },
]

export function PromisesPart({ document, change, problems, field }: PartProps) {
  const { refund_days, rating } = document
  return (
    <>
      <NumberLine
        label="Refund period in days"
        hint="For the page, the buyer’s button, the rule behind it and the emails. 0 promises no refund. Purchases keep the period that they were made with."
        problem={problems['refund_days']}
        value={refund_days}
        min={0}
        max={365}
        onChange={(value) => change((draft) => void (draft.refund_days = value))}
      />
      <Tick
        label="Show a rating"
        isTicked={rating !== null}
        onChange={(isTicked) =>
          change((draft) => void (draft.rating = isTicked ? { stars: 5, source: '' } : null))
        }
      />
      {rating && (
        <div className="grid gap-5 sm:grid-cols-[9rem_1fr]">
          <NumberLine
            label="Stars of 5"
            problem={problems['rating.stars']}
            value={rating.stars}
            min={1}
            max={5}
            step={0.1}
            onChange={(value) => change((draft) => void (draft.rating = { ...rating, stars: value }))}
          />
          <Line
            label="Source"
            hint="Where readers gave it, as in “212 ratings on Goodreads”. A rating without a source is not published."
            {...field('rating.source')}
          />
        </div>
      )}
      <fieldset className="grid gap-5">
        <legend className="mb-2 font-semibold">Lines under the products</legend>
        <p className="text-sm text-soft">Each is shown only while it is true. An empty one is not shown.</p>
        {claims.map(({ name, label }) => (
          <Line key={name} label={label} {...field(`claims.${name}`)} />
        ))}
      </fieldset>
    </>
  )
}
