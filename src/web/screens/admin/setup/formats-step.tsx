import { useId, useRef, useState, type FormEvent } from 'react'
import { currency as currencySchema } from '#platform/contract/currencies.ts'
import { chosenOffers, type Offers } from '#features/setup/contract/book-setup.ts'
import { formatNames } from '#features/products/contract/format-names.ts'
import { formats, type Format } from '#features/products/contract/products.ts'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { checkFields } from '../../../check-fields.ts'
import { useFocusWrong } from '../../../focus-back.ts'
import { currencySign, toDecimal } from '../../../format.ts'
import { SelectField } from '../../../components/select-field.tsx'
import { PriceField } from '../../../components/price-field.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { currencyOptions } from '../currency-options.ts'
import { chooseStep, saveOffers } from './calls.ts'
import { FileLine } from './file-line.tsx'
import { StepCard, StepButtons, type StepProps } from './step-card.tsx'
import { useCurrency } from '../../../shop.ts'

/** What is typed, by format; a format that is not there is not sold. */
type Typed = Partial<Record<Format, string>>

export function FormatsStep({ setup, isBusy, run }: StepProps) {
  const { file, offers } = setup
  const form = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState<Typed>(() => typedOf(offers, file !== null))
  const [currency, setCurrency] = useState(setup.currency.code)
  const shown = useCurrency()
  const [problems, setProblems] = useState<FieldProblems>()
  const { markChanged, markSaved } = useUnsavedChanges()
  useFocusWrong(form, problems)
  function change(next: Typed) {
    setTyped(next)
    setProblems(undefined)
    markChanged()
  }
  async function leaveTo(step: 'file' | 'words' | 'connections') {
    const isBack = step !== 'connections'
    // On the way back a format without a price is no obstacle. What is typed there and is no price is one: it would be lost.
    const chosen = offersOf(isBack ? withoutEmpty(typed) : typed)
    const wrong = checkFields(chosenOffers, { offers: chosen })
    if (wrong) return setProblems(problemsOf(wrong, chosen))
    if (chosen.length === 0 && !isBack) return setProblems(nothingChosen)
    const isLocked = setup.currency.locked !== null
    const { isSaved } = await run('Couldn’t save', async () => {
      await saveOffers({ offers: chosen, ...(!isLocked && { currency }) })
      markSaved()
      await chooseStep(step)
    })
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
      lead="Tick what you sell. Descriptions, stock and further editions can follow under “Products”."
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
            hint={setup.currency.locked ?? 'Of all prices. It can be changed until the first sale.'}
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
                sign={currencySign(currency)}
                price={typed[format]}
                problem={problems?.[format]}
                onChange={(price) => change(withPrice(typed, format, price))}
              />
            </li>
          ))}
        </ul>
        {typed.digital !== undefined && <FileLine file={file} onChoose={() => void leaveTo('file')} />}
        <StepButtons isBusy={isBusy} onBack={() => void leaveTo('words')} />
      </form>
    </StepCard>
  )
}

const nothingChosen: FieldProblems = { offers: 'Please tick at least one format.' }

const hints: Record<Format, string> = {
  digital: 'A download, available right after the purchase.',
  paperback: 'Printed and sent by you.',
  hardcover: 'Printed and sent by you.',
  bundle: 'All the formats above that you sell, together.',
}

type OfferProps = {
  format: Format
  sign: string
  price: string | undefined
  problem: string | undefined
  onChange: (price: string | undefined) => void
}

function Offer({ format, sign, price, problem, onChange }: OfferProps) {
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
          {formatNames[format]}
        </label>
        <p id={hint} className="mt-0.5 pl-8 text-sm text-soft">
          {hints[format]}
        </p>
      </div>
      {isSold && (
        <PriceField
          label={`Price of ${formatNames[format].toLowerCase()} (${sign})`}
          problem={problem}
          value={price}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  )
}

function typedOf(offers: Offers, hasFile: boolean): Typed {
  if (offers.length === 0) return hasFile ? { digital: '' } : {}
  return Object.fromEntries(offers.map(({ format, price }) => [format, toDecimal(price)]))
}

function withPrice(typed: Typed, format: Format, price: string | undefined): Typed {
  const { [format]: _, ...others } = typed
  return price === undefined ? others : { ...others, [format]: price }
}

function withoutEmpty(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([, price]) => price.trim() !== ''))
}

/** `NaN` where nothing is entered: an empty price is not free. */
function offersOf(typed: Typed): Offers {
  return formats.flatMap((format) => {
    const price = typed[format]
    return price === undefined ? [] : [{ format, price: price.trim() === '' ? NaN : Number(price) }]
  })
}

function problemsOf(wrong: FieldProblems, chosen: Offers): FieldProblems {
  return Object.fromEntries(
    Object.entries(wrong).map(([path, says]) => {
      const format = chosen[Number(path.split('.')[1])]?.format
      return format
        ? [format, chosen.some(({ price }) => Number.isNaN(price)) && says ? 'Please give a price.' : says]
        : ['offers', says]
    }),
  )
}
