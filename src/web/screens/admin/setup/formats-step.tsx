import { useId, useRef, useState, type FormEvent } from 'react'
import { currency as currencySchema } from '#contract/currencies.ts'
import { chosenOffers } from '#contract/operations/book-setup.ts'
import { formatsTexts } from '#words/formats.ts'
import { formats, type Format } from '#contract/catalog/products.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { checkFields } from '../../../check-fields.ts'
import { useFocusWrong } from '../../../focus-back.ts'
import { currencySign } from '../../../format.ts'
import { SelectField } from '../../../components/select-field.tsx'
import { PriceField } from '../price-field.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { currencyOptions } from '../currency-options.ts'
import { chooseStep, saveOffers } from './calls.ts'
import { FileLine } from './file-line.tsx'
import { PagePreview } from './page-preview.tsx'
import { chosenShipping, ShippingFields, typedShipping } from './shipping-fields.tsx'
import { StepCard, StepButtons, type StepProps } from './step-card.tsx'
import {
  offersOf,
  onPaper,
  problemsOf,
  typedOf,
  withoutEmpty,
  withPrice,
  type Typed,
} from './typed-offers.ts'
import { useCurrency } from '../../../shop.ts'

export function FormatsStep({ setup, shipping, isBusy, run }: StepProps) {
  const { file, offers } = setup
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState<Typed>(() => typedOf(offers, file !== null, setup.currency.code))
  const [parcels, setParcels] = useState(() => shipping && typedShipping(shipping, setup.currency.code))
  const [currency, setCurrency] = useState(setup.currency.code)
  const shown = useCurrency()
  const [problems, setProblems] = useState<FieldProblems>()
  const { markChanged, markSaved } = useUnsavedChanges()
  useFocusWrong(form, problems)
  const papers = onPaper(typed)
  function change(next: Typed) {
    setTyped(next)
    setProblems(undefined)
    markChanged()
  }
  async function save(isBack: boolean, next?: () => Promise<unknown>): Promise<boolean> {
    // On the way back a format without a price is no obstacle. What is typed there and is no price is one: it would be lost.
    const chosen = offersOf(isBack ? withoutEmpty(typed) : typed, currency)
    const isSent = papers.length > 0 && shipping && parcels
    const wanted = {
      offers: chosen,
      ...(isSent && { shipping: chosenShipping(parcels, shipping, currency) }),
    }
    const wrong = checkFields(chosenOffers, wanted)
    if (wrong) return refuse(problemsOf(wrong, chosen))
    if (chosen.length === 0 && !isBack) return refuse(nothingChosen)
    const isLocked = setup.currency.locked !== null
    const result = await run('Couldn’t save', async () => {
      await saveOffers({ ...wanted, ...(!isLocked && { currency }) })
      markSaved()
      await next?.()
    })
    return result.isSaved || refuse(result.problems && problemsOf(result.problems, chosen))
  }
  function refuse(found: FieldProblems | undefined): false {
    setProblems(found)
    return false
  }
  async function leaveTo(step: 'file' | 'words' | 'connections') {
    const isSaved = await save(step !== 'connections', () => chooseStep(step))
    // The page came with the currency before.
    if (isSaved && currency !== shown) location.reload()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    void leaveTo('connections')
  }
  return (
    <StepCard
      title="Formats and prices"
      lead="Tick what you sell. You can add descriptions, stock and more editions later under “Products”."
    >
      <form ref={form} noValidate onSubmit={submit}>
        {problems?.['offers'] && (
          <p role="alert" className="mb-4 text-danger">
            {problems['offers']}
          </p>
        )}
        <div className="mb-6 max-w-sm">
          <SelectField
            label="Currency"
            hint={setup.currency.locked ?? 'For all prices. You can change it until the first sale.'}
            disabled={setup.currency.locked !== null}
            options={currencyOptions()}
            value={currency}
            onChange={({ target }) => {
              setCurrency(currencySchema.parse(target.value))
              markChanged()
            }}
          />
        </div>
        <ul className="grid gap-3">
          {formats.map((format) => (
            <li key={format}>
              <Offer
                format={format}
                currency={currency}
                price={typed[format]}
                problem={problems?.[format]}
                onChange={(price) => change(withPrice(typed, format, price))}
              />
            </li>
          ))}
        </ul>
        {papers.length > 0 && shipping && parcels && (
          <ShippingFields
            found={shipping}
            typed={parcels}
            papers={papers}
            currency={currency}
            problems={problems}
            onChange={(next) => {
              setParcels(next)
              setProblems(undefined)
              markChanged()
            }}
          />
        )}
        {typed.digital !== undefined && <FileLine file={file} onChoose={() => void leaveTo('file')} />}
        <PagePreview
          // What was typed since is not in it.
          key={JSON.stringify([typed, parcels, currency])}
          version={JSON.stringify(offers)}
          section="book-sales"
          prepare={() => save(false)}
        />
        <StepButtons isBusy={isBusy} onBack={() => void leaveTo('words')} />
      </form>
    </StepCard>
  )
}

const nothingChosen: FieldProblems = { offers: 'Please tick at least one format.' }

const hints: Record<Format, string> = {
  digital: 'A download, available right after the purchase.',
  paperback: 'A printed copy that you send by post.',
  hardcover: 'A printed copy that you send by post.',
  bundle: 'All the formats ticked above, together.',
}

type OfferProps = {
  format: Format
  currency: string
  price: string | undefined
  problem: string | undefined
  onChange: (price: string | undefined) => void
}

function Offer({ format, currency, price, problem, onChange }: OfferProps) {
  const hint = useId()
  const isSold = price !== undefined
  return (
    <div className="grid gap-x-6 gap-y-3 rounded-md border border-line p-4 sm:grid-cols-[1fr_11rem]">
      <div>
        <label className="flex cursor-pointer items-center gap-3 font-semibold">
          <input
            type="checkbox"
            className="tick shrink-0"
            aria-describedby={hint}
            checked={isSold}
            onChange={({ target }) => onChange(target.checked ? '' : undefined)}
          />
          {formatsTexts.names[format]}
        </label>
        <p id={hint} className="mt-0.5 pl-8 text-sm text-soft">
          {hints[format]}
        </p>
      </div>
      {isSold && (
        <PriceField
          currency={currency}
          label={`Price of ${formatsTexts.within[format]} (${currencySign(currency)})`}
          problem={problem}
          value={price}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  )
}
