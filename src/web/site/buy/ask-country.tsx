// The question for the country of a purchase, with the price of shipping.
import { buyingTexts } from '#words/buying.ts'
import type { Release } from '#contract/catalog/products.ts'
import { countryName, firstThenByName, shippingLabel } from '#contract/orders/postal.ts'
import { comingWords } from '#contract/orders/release-words.ts'
import { SelectField } from '../../components/further-fields.tsx'
import { shippingPrice, isFree, isOnePrice, shippingRange } from '#contract/orders/prices.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { fromCents, toCents } from '#contract/money.ts'
import { useFormatMoney } from '../../format/money.tsx'
import { withTax } from '../../product/offers.ts'
import { useHasTax, useTaxInPrices } from '../../shop.ts'
import { fill } from '#words/texts.ts'
import { useState, type ReactNode } from 'react'
import AddressDialog from '../../forms/address-dialog.tsx'
import { byBrowser } from '../../forms/browser-validation.ts'
import { readText, useForm } from '../../forms/form.ts'
import { Button } from '../../components/button.tsx'
import { CancelButton, Dialog } from '../../components/dialog.tsx'
import { LegalLinks } from '../legal/legal-links.tsx'
import type { Place, PlaceQuestion } from './buy.ts'

type CountryFieldProps = {
  countries: readonly string[]
  country: string
  problem: string | undefined
  onChange: (country: string) => void
  /** The price of shipping, where no sum beside it shows it. */
  priceOf?: (country: string) => number
}

export function CountryField({ countries, country, problem, onChange, priceOf }: CountryFieldProps) {
  const format = useFormatMoney()
  const priceIn = (code: string) => (priceOf ? ` · ${format(priceOf(code))}` : '')
  return (
    <SelectField
      label={buyingTexts.country}
      name="country"
      required
      autoComplete="shipping country"
      value={country}
      onChange={({ target }) => onChange(target.value)}
      options={[
        { value: '', label: buyingTexts.choose },
        ...firstThenByName(countries).map((code) => ({
          value: code,
          label: countryName(code) + priceIn(code),
        })),
      ]}
      problem={problem}
    />
  )
}

type ShippingSumProps = {
  price: number
  terms: ShippingTerms
  country: string | undefined
}

export function ShippingSum({ price, terms, country }: ShippingSumProps) {
  const shipping = country === undefined ? undefined : shippingPrice(terms, country)
  const format = useFormatMoney()
  const in_prices = useTaxInPrices()
  const inWords = (amount: number | undefined) =>
    amount === undefined ? '–' : withTax(format(amount), in_prices)
  const total = shipping === undefined ? undefined : sumOf(price, shipping)
  return (
    <div role="status">
      <dl className="rounded-md bg-ink/4 px-4 py-3 tabular-nums">
        <Row name={buyingTexts.price} amount={inWords(price)} />
        <Row
          name={shippingLabel(country ?? null)}
          amount={shipping === 0 ? buyingTexts.free : inWords(shipping)}
        />
        <Row name={terms.has_tax ? buyingTexts.totalBeforeTax : buyingTexts.total} amount={inWords(total)} />
      </dl>
    </div>
  )
}

export function sumOf(price: number, shipping: number): number {
  return fromCents(toCents(price) + toCents(shipping))
}

/** Returns the label with the sum to pay, unless the payment page adds taxes. */
export function useContinueLabel(label: string, total: number | undefined): string {
  const hasTax = useHasTax()
  const format = useFormatMoney()
  return hasTax || total === undefined ? label : fill(buyingTexts.withTotal, { label, total: format(total) })
}

function Row({ name, amount }: { name: string; amount: string }) {
  return (
    <div className="flex justify-between gap-4 py-1 last:mt-1 last:border-t last:border-line last:pt-2 last:font-semibold">
      <dt className="min-w-0">{name}</dt>
      <dd className="whitespace-nowrap">{amount}</dd>
    </div>
  )
}

type AskPlaceProps = {
  name: string
  release: Release | undefined
  price: number
  question: PlaceQuestion
  entered: Place | undefined
  /** `letters`: the words of the box for letters, where it was ticked. */
  onSubmitPlace: (place: Place, letters: string | undefined) => void
  onClose: () => void
  lettersBox: ReactNode
  /** They stand before the button, where money is taken. */
  children: ReactNode
}

export default function AskPlace(props: AskPlaceProps) {
  return props.question.asks_address ? <AskAddress {...props} /> : <AskCountry {...props} />
}

const readLetters = (entered: FormData) => readText(entered, 'letters') || undefined

function AskAddress(props: AskPlaceProps) {
  const { name, release, price, question, entered, lettersBox, onSubmitPlace, onClose } = props
  const { countries, takes_payments, problems, notice } = question
  const isFreeForAll = isFree(shippingRange(question))
  return (
    <AddressDialog
      title={buyingTexts.where}
      action={buyingTexts.buyAndShip}
      countries={firstThenByName(countries)}
      address={entered?.address}
      refused={problems}
      onClose={onClose}
      send={(address, form) => {
        const shipping = shippingPrice(question, address.country)
        onSubmitPlace({ address, shipping }, readLetters(form))
      }}
      beforeButtons={
        <>
          {lettersBox}
          <LegalLinks opensTab className="text-sm text-soft" />
        </>
      }
      renderSum={
        isFreeForAll
          ? undefined
          : (country) => <ShippingSum price={price} terms={question} country={country} />
      }
    >
      {notice && <Notice words={notice} />}
      {release && <OutOn release={release} isCharged={takes_payments && price > 0} />}
      <span>
        {fill(isFreeForAll ? buyingTexts.comesFree : buyingTexts.comesToAddress, { product: name })}
      </span>
    </AddressDialog>
  )
}

const check = byBrowser(() => ({ country: buyingTexts.chooseCountry }))

function AskCountry(props: AskPlaceProps) {
  const { name, release, price, question, entered, lettersBox, onSubmitPlace, onClose, children } = props
  const { countries, takes_payments, problems, notice } = question
  const [country, setCountry] = useState(entered?.country ?? onlyOne(countries) ?? '')
  const isServed = countries.includes(country)
  const shipping = shippingPrice(question, country)
  const label = useContinueLabel(buyingTexts.continue, isServed ? sumOf(price, shipping) : undefined)
  const send = (form: FormData) => onSubmitPlace({ country, shipping }, readLetters(form))
  const { form: attributes, field } = useForm(check, send, { refused: problems })
  return (
    <Dialog title={buyingTexts.where} onClose={onClose}>
      <p className="mt-2 text-pretty text-soft">
        {release && <OutOn release={release} isCharged={takes_payments && price > 0} />}
        <span>{fill(buyingTexts.comes, { product: name })}</span>
        {!isOnePrice(shippingRange(question)) && <span>{` ${buyingTexts.dependsOnCountry}`}</span>}
      </p>
      {notice && <Notice words={notice} />}
      {/* A choice is quickly made again: leaving asks nothing. */}
      <form {...attributes} className="mt-5 grid gap-5" onInput={(event) => event.stopPropagation()}>
        <CountryField
          countries={countries}
          country={isServed ? country : ''}
          problem={isServed ? undefined : field('country').problem}
          onChange={setCountry}
        />
        <ShippingSum price={price} terms={question} country={isServed ? country : undefined} />
        {lettersBox}
        <LegalLinks opensTab className="text-sm text-soft" />
        {children}
        <p className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <CancelButton />
          <Button type="submit">{takes_payments ? label : buyingTexts.buy}</Button>
        </p>
      </form>
    </Dialog>
  )
}

/** What is asked for its place is on paper. */
function OutOn({ release, isCharged }: { release: Release; isCharged: boolean }) {
  return (
    <span className="mb-1 block font-semibold text-ink">
      {comingWords({ release, ships: true }, isCharged)}
    </span>
  )
}

function onlyOne(countries: readonly string[]): string | undefined {
  return countries.length === 1 ? countries[0] : undefined
}

function Notice({ words }: { words: string }) {
  return (
    <p
      role="alert"
      className="my-3 rounded-md border border-gold/60 bg-gold/10 px-4 py-3 text-sm text-pretty text-ink"
    >
      {words}
    </p>
  )
}
