// The step of who sells, of the formats and of their prices while they are typed.
import { type BookSetup, type Offers, type ChosenOffers, chosenOffers } from '#contract/setup/setup.ts'
import { TriangleAlert } from '../icons.tsx'
import { Callout } from '../../../components/note.tsx'
import { formats, isOnPaper, type Format } from '#contract/catalog/formats.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { addCents, fromCents, toCents } from '#contract/money.ts'
import { toDecimal, currencySign, formatMoney } from '../../../format/format.tsx'
import { readPrice, toSent, PriceField, currencyOptions } from '../price-field.tsx'
import { settingValues, type SettingsGroup } from '#contract/settings/settings.ts'
import { countries } from '#contract/orders/countries.ts'
import { formatsTexts } from '#words/buying.ts'
import { fixedHint } from '../settings/settings-form.tsx'
import { ShippingCountries } from '../settings/shared-with-setup.tsx'
import { StrongLink } from '../links.tsx'
import { useEffect, useId, useRef, useState } from 'react'
import { currency as currencySchema } from '#contract/stripe.ts'
import { asEntered, checkFields, useForm, type FormResult } from '../../../forms/form.ts'
import { Field } from '../../../components/field.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { readDraft, saveDraft } from '../book/draft.ts'
import {
  chooseStep,
  chooseTimeZone,
  saveOffers,
  PagePreview,
  StepCard,
  StepButtons,
  type StepProps,
} from './step-card.tsx'
import {
  currencyOf,
  legalOf,
  SellerQuestion,
  sellerProblems,
  typedSeller,
  type TypedSeller,
} from './seller-question.tsx'
import { useCurrency } from '../../../shop.ts'

type FileLineProps = Pick<BookSetup, 'file'> & { onChoose: () => void }

function FileLine({ file, onChoose }: FileLineProps) {
  if (file?.is_stored)
    return (
      <p className="mt-4 text-sm text-soft">
        Buyers of the digital format download <span className="break-words text-ink">{file.name}</span>.
      </p>
    )
  return (
    <Callout role="note" className="mt-4 flex gap-3">
      <TriangleAlert aria-hidden className="size-5 shrink-0 text-gold-text" />
      <span>
        {file ? `${file.name} is no longer stored: it was uploaded more than three days ago. ` : ''}
        The digital format goes on sale once it has a file.{' '}
        <button
          type="button"
          className="cursor-pointer rounded-sm font-semibold underline underline-offset-4"
          onClick={onChoose}
        >
          Choose the file
        </button>
      </span>
    </Callout>
  )
}

/** What is typed, by format; a format that is not there is not sold. */
type Typed = Partial<Record<Format, TypedOffer>>

/** A format without a day is for sale from the opening on; an empty day is still to be chosen. */
type TypedOffer = { price: string; release_on: string | null }

const noOffer: TypedOffer = { price: '', release_on: null }

function typedOf(offers: Offers, hasFile: boolean, currency: string): Typed {
  if (offers.length === 0) return hasFile ? { digital: noOffer } : {}
  return Object.fromEntries(
    offers.map(({ format, price, release_on }) => [
      format,
      { price: toDecimal(price, currency), release_on },
    ]),
  )
}

function withOffer(typed: Typed, format: Format, offer: TypedOffer | undefined): Typed {
  const { [format]: _, ...others } = typed
  return offer === undefined ? others : { ...others, [format]: offer }
}

function withoutEmpty(typed: Typed): Typed {
  const priced = Object.entries(typed).filter(([, { price }]) => price.trim() !== '')
  return Object.fromEntries(
    priced.map(([format, offer]) => [format, { ...offer, release_on: offer.release_on || null }]),
  )
}

function onPaper(typed: Typed): Format[] {
  return formats.filter((format) => isOnPaper(format) && typed[format] !== undefined)
}

const typedPrice = (price: string, currency: string) => readPrice(toSent(price, currency))

function offersOf(typed: Typed, currency: string): Offers {
  return formats.flatMap((format) => {
    const offer = typed[format]
    return offer === undefined ? [] : [{ ...offer, format, price: typedPrice(offer.price, currency) }]
  })
}

const dayOf = (format: Format) => `${format}.release_on`

/** Returns the problems by format, by `dayOf` it, `offers` for all of them, and the fields of shipping as they are named. */
function problemsOf(wrong: FieldProblems, chosen: Offers): FieldProblems {
  return Object.fromEntries(
    Object.entries(wrong).map(([path, says]) => {
      const [group, name = '', field] = path.split('.')
      if (group === 'shipping') return [name, says]
      const offer = group === 'offers' ? chosen[Number(name)] : undefined
      if (!offer) return ['offers', says]
      if (field === 'release_on') return [dayOf(offer.format), says]
      return [offer.format, Number.isNaN(offer.price) ? 'Please enter a price.' : says]
    }),
  )
}

type TypedShipping = { countries: string[]; price: string }

const schema = settingValues.shape.shipping.omit({ notices: true })

/** The country is that of the browser's language until one was chosen. */
function typedShipping({ values, revision, variables }: SettingsGroup, currency: string): TypedShipping {
  const { countries: stored, price } = schema.parse(values)
  const own = new Intl.Locale(navigator.language).maximize().region
  const isChosen = revision > 0 || 'countries' in variables || !own || !countries.has(own)
  return { countries: isChosen ? stored : [own], price: price === 0 ? '' : toDecimal(price, currency) }
}

/** Leaves out values that the environment sets: they cannot be changed here. */
function chosenShipping(
  { countries: chosen, price }: TypedShipping,
  { variables }: SettingsGroup,
  currency: string,
): NonNullable<ChosenOffers['shipping']> {
  return {
    ...(!('countries' in variables) && { countries: chosen }),
    ...(!('price' in variables) && { price: price.trim() ? typedPrice(price, currency) : 0 }),
  }
}

type ShippingFieldsProps = {
  found: SettingsGroup
  typed: TypedShipping
  papers: readonly Format[]
  currency: string
  problems: FieldProblems | undefined
  onChange: (typed: TypedShipping) => void
}

function ShippingFields(props: ShippingFieldsProps) {
  const { found, typed, papers, currency, problems, onChange } = props
  const values = schema.parse(found.values)
  const exceptions = Object.keys(values.country_prices).length
  const variable = found.variables['price']
  return (
    <section aria-labelledby="parcels" className="mt-3 grid gap-5 rounded-md border border-line p-4">
      <div>
        <h3 id="parcels" className="font-semibold">
          Shipping the {listed(papers)}
        </h3>
        <p className="mt-0.5 text-sm text-pretty text-soft">
          You send each copy yourself once it is ordered: “Shipping” in the admin area lists the addresses and
          prints packing slips. Leave a format unticked if you cannot send it.
        </p>
      </div>
      <ShippingCountries
        group={{ variables: found.variables, problems, markChanged: () => {} }}
        chosen={typed.countries}
        onChoose={(chosen) => onChange({ ...typed, countries: chosen })}
      />
      <div className="sm:max-w-72">
        <PriceField
          currency={currency}
          label={`Shipping per order (${currencySign(currency)})`}
          required={false}
          readOnly={variable !== undefined}
          hint={variable ? fixedHint(variable) : 'Leave it empty if shipping is free.'}
          problem={problems?.['price']}
          value={typed.price}
          onChange={({ currentTarget }) => onChange({ ...typed, price: currentTarget.value })}
        />
      </div>
      <p className="text-sm text-soft">
        {exceptions > 0 && (
          <span>{`${exceptions} ${exceptions === 1 ? 'country has' : 'countries have'} another price. `}</span>
        )}
        <span>
          To charge more or less for some countries, use{' '}
          <StrongLink to="/admin/settings/shipping?from=setup">Settings, Shipping</StrongLink>.
        </span>
      </p>
    </section>
  )
}

function listed(papers: readonly Format[]): string {
  const names = papers.map((format) => formatsTexts.within[format])
  return new Intl.ListFormat('en-US').format(names)
}

export function FormatsStep({ setup, draft, shipping, isBusy, run }: StepProps) {
  const { file, offers } = setup
  const [seller, setSeller] = useState(() => typedSeller(draft.document, setup))
  const [typed, setTyped] = useState<Typed>(() => typedOf(offers, file !== null, setup.currency.code))
  const [parcels, setParcels] = useState(() => shipping && typedShipping(shipping, setup.currency.code))
  const [currency, setCurrency] = useState(setup.currency.code)
  /** The currency and the countries that the author has not chosen yet follow the seller's country. */
  const [isProposed, setIsProposed] = useState({
    currency: setup.currency.locked === null && offers.length === 0,
    countries: shipping !== undefined && shipping.revision === 0 && !('countries' in shipping.variables),
  })
  const shown = useCurrency()
  const savedCurrency = useRef(shown)
  const state = useForm(asEntered, () => leaveTo('connections'), {
    asksBeforeLeaving: true,
    onLeave: () => save(true),
  })
  const { form, problems, markChanged, markSaved } = state
  const papers = onPaper(typed)
  function change(next: Typed) {
    setTyped(next)
    state.clear()
    markChanged()
  }
  function changeSeller(next: TypedSeller) {
    const { country } = next
    setSeller(next)
    if (country && country !== seller.country) {
      const own = currencyOf(country)
      if (isProposed.currency && own) setCurrency(own)
      if (isProposed.countries) setParcels((before) => before && { ...before, countries: [country] })
    }
    state.clear()
    markChanged()
  }
  async function saveSeller() {
    if (seller.time_zone !== setup.time_zone.name) await chooseTimeZone(seller.time_zone)
    // The newest draft is read, so that nothing else of it is overwritten.
    const { revision, document } = await readDraft()
    const legal = legalOf(document, seller)
    if (JSON.stringify(legal) !== JSON.stringify(document.legal))
      await saveDraft(revision, { ...document, legal })
  }
  async function save(isBack: boolean, next?: () => Promise<unknown>): Promise<FormResult> {
    // The way back does not stop at a format without a price. It does at typed text that is no price: it would be lost.
    const chosen = offersOf(isBack ? withoutEmpty(typed) : typed, currency)
    const isSent = papers.length > 0 && shipping && parcels
    const request = {
      offers: chosen,
      ...(isSent && { shipping: chosenShipping(parcels, shipping, currency) }),
    }
    const wrong = checkFields(chosenOffers, request)
    const wrongSeller = isBack ? undefined : sellerProblems(draft.document, seller)
    if (wrong || wrongSeller) return refuse({ ...wrongSeller, ...(wrong && problemsOf(wrong, chosen)) })
    if (chosen.length === 0 && !isBack) return refuse(nothingChosen)
    const isLocked = setup.currency.locked !== null
    const result = await run('Couldn’t save', async () => {
      await saveOffers({ ...request, ...(!isLocked && { currency }) })
      await saveSeller()
      savedCurrency.current = currency
      markSaved()
      await next?.()
    })
    return result.isSaved ? result : refuse(result.problems && problemsOf(result.problems, chosen))
  }
  // The page came with the currency before, and so would the next one that is opened.
  useEffect(
    () => () => {
      if (savedCurrency.current !== shown) location.reload()
    },
    [shown],
  )
  async function leaveTo(step: 'file' | 'words' | 'connections'): Promise<FormResult> {
    return save(step !== 'connections', () => chooseStep(step))
  }
  const goBack = (step: 'file' | 'words') => void state.run(() => leaveTo(step))
  async function savePreview(): Promise<boolean> {
    let isSaved = false
    await state.run(async () => {
      const result = await save(false)
      isSaved = result.isSaved
      return result
    })
    return isSaved
  }
  return (
    <StepCard
      title="Formats and prices"
      lead="Say who sells, and tick what you sell. You can add descriptions, stock and more editions later under “Products”."
    >
      <form {...form}>
        <SellerQuestion
          document={draft.document}
          setup={setup}
          typed={seller}
          problems={problems}
          onChange={changeSeller}
        />
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
              setIsProposed({ ...isProposed, currency: false })
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
                offer={typed[format]}
                problems={{ price: problems?.[format], day: problems?.[dayOf(format)] }}
                onChange={(offer) => change(withOffer(typed, format, offer))}
              />
              {format === 'bundle' && <BundleNote typed={typed} currency={currency} />}
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
              if (next.countries !== parcels.countries) setIsProposed({ ...isProposed, countries: false })
              state.clear()
              markChanged()
            }}
          />
        )}
        {typed.digital !== undefined && <FileLine file={file} onChoose={() => goBack('file')} />}
        <PagePreview
          // The preview has only what was saved, so it begins anew with each change.
          key={JSON.stringify([typed, parcels, currency, seller])}
          version={JSON.stringify(offers)}
          section="book-sales"
          prepare={savePreview}
        />
        <StepButtons isBusy={isBusy} onBack={() => goBack('words')} />
      </form>
    </StepCard>
  )
}

const refuse = (problems: FieldProblems | undefined): FormResult => ({ isSaved: false, problems })
const nothingChosen: FieldProblems = { offers: 'Please tick at least one format.' }

const hints: Record<Format, string> = {
  digital: 'A download, available right after the purchase.',
  paperback: 'A printed copy that you send by post.',
  hardcover: 'A printed copy that you send by post.',
  bundle: 'All the formats ticked above, together.',
}

/** What the bundle's parts cost one by one, while all prices are typed; says so where the bundle saves nothing. */
function BundleNote({ typed, currency }: { typed: Typed; currency: string }) {
  const offered = offersOf(typed, currency)
  const bundle = offered.find(({ format }) => format === 'bundle')
  const parts = offered.filter(({ format }) => format !== 'bundle')
  if (!bundle || parts.length === 0 || offered.some(({ price }) => !Number.isFinite(price))) return null
  const whole = fromCents(addCents(parts.map(({ price }) => toCents(price))))
  const sums = `One by one ${formatMoney(whole, currency)}, as a bundle ${formatMoney(bundle.price, currency)}`
  if (bundle.price < whole) return <p className="mt-1.5 px-4 text-sm text-soft tabular-nums">{sums}.</p>
  return (
    <p role="status" className="mt-1.5 flex items-start gap-2 px-4 text-sm text-pretty tabular-nums">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-gold-text" />
      {sums}: buyers save nothing by the bundle.
    </p>
  )
}

type OfferProps = {
  format: Format
  currency: string
  offer: TypedOffer | undefined
  problems: { price: string | undefined; day: string | undefined }
  onChange: (offer: TypedOffer | undefined) => void
}

function Offer({ format, currency, offer, problems, onChange }: OfferProps) {
  const hint = useId()
  const name = formatsTexts.names[format]
  const isPreorder = offer !== undefined && offer.release_on !== null
  return (
    <div className="grid gap-x-6 gap-y-3 rounded-md border border-line p-4 sm:grid-cols-[1fr_11rem]">
      <div>
        <label className="flex cursor-pointer items-center gap-3 font-semibold">
          <input
            type="checkbox"
            className="tick shrink-0"
            aria-describedby={hint}
            checked={offer !== undefined}
            onChange={({ target }) => onChange(target.checked ? noOffer : undefined)}
          />
          {name}
        </label>
        <p id={hint} className="mt-0.5 pl-8 text-sm text-soft">
          {format === 'digital' && isPreorder ? preorderHint : hints[format]}
        </p>
      </div>
      {offer && (
        <>
          <PriceField
            currency={currency}
            label={`${name} price (${currencySign(currency)})`}
            problem={problems.price}
            value={offer.price}
            onChange={({ target }) => onChange({ ...offer, price: target.value })}
          />
          <SelectField
            label={`${name} on sale`}
            options={saleOptions}
            value={offer.release_on === null ? 'now' : 'preorder'}
            onChange={({ target }) => onChange({ ...offer, release_on: target.value === 'now' ? null : '' })}
          />
          {offer.release_on !== null && (
            <Field
              label={`${name} day`}
              type="date"
              problem={problems.day}
              value={offer.release_on}
              onChange={({ target }) => onChange({ ...offer, release_on: target.value })}
            />
          )}
        </>
      )}
    </div>
  )
}

const preorderHint = 'A download, available from its day on.'

const saleOptions = [
  { value: 'now', label: 'For sale now' },
  { value: 'preorder', label: 'Pre-order: paid now, delivered on …' },
]
