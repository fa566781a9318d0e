// Buying with an address only: the form, as it stands in a dialog and on the page of a purchase.
import { use, useId, useRef, useState, type ReactNode } from 'react'
import { buyingTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import { guestTexts } from '#words/guest.ts'
import type { Product } from '#contract/catalog/products.ts'
import { isOnePrice, shippingPrice } from '#contract/orders/prices.ts'
import type { ShippingTerms } from '#contract/orders/shipments.ts'
import { byBrowser } from '../../forms/browser-validation.ts'
import { Button, ButtonLink, Link } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormAnswerContext, readText, useForm, type FormResult } from '../../forms/form.ts'
import { LettersBox } from '../../forms/letters-box.tsx'
import { isPreorder } from '#contract/catalog/preorder.ts'
import { useSeller } from '../../product/seller-line.tsx'
import { useBookFacts, useShippingRange } from '../../shop.ts'
import { useIsAlive } from '../../page/use-page.ts'
import { chosenPath } from '#contract/chosen-product.ts'
import { CountryField, ShippingSum, sumOf, useContinueLabel } from './ask-country.tsx'
import { buyAsGuest, findOwned, type GuestOutcome, type OwnedOrder } from './guest-order.ts'
import { findEmailTypo } from './email-typo.ts'
import { askForProducts, useProducts } from '../home/products.ts'

type GuestOrderOptions = {
  product: Product
  code: string | undefined
  /** The terms exist where the price of shipping depends on the country. */
  terms: ShippingTerms | undefined
  /** The address that the form is posted to without scripts. */
  action?: string
}

const check = byBrowser(() => ({
  email: guestTexts.emailNeeded,
  country: buyingTexts.chooseCountry,
  consent: buyingTexts.tickBox,
}))

export function useGuestForm({ product, code, terms, action }: GuestOrderOptions) {
  const [outcome, setOutcome] = useState<GuestOutcome>({})
  const range = useShippingRange()
  const shown = useProducts()
  const products = typeof shown === 'string' ? [] : shown
  const [typo, setTypo] = useState<string>()
  /** Looks like a typo, and is none. */
  const [kept, setKept] = useState<string>()
  /** The order that gives the product already. */
  const [owned, setOwned] = useState<OwnedOrder>()
  /** The address under which the buyer wants another. */
  const again = useRef<string>(undefined)
  const state = useForm(check, send, action === undefined ? {} : { action })
  const { ref } = state.form

  async function send(entered: FormData): Promise<FormResult> {
    const typed = readText(entered, 'email').trim()
    const meant = typed === kept ? undefined : findEmailTypo(typed)
    setTypo(meant)
    if (meant) return { isSaved: false }
    const ordered = { product_id: product.id, email: typed, products }
    const order = again.current === typed ? undefined : (owned ?? (await findOwned(ordered)))
    setOwned(order)
    if (order) return { isSaved: false }
    const country = readText(entered, 'country')
    const shipping = terms ? shippingPrice(terms, country) : product.ships ? range.max : 0
    const result = await buyAsGuest({
      product_id: product.id,
      code,
      email: readText(entered, 'email'),
      key: readText(entered, 'key'),
      country: country || undefined,
      shipping,
      consent: readText(entered, 'consent') || undefined,
      letters: readText(entered, 'letters') || undefined,
      seller: readText(entered, 'seller') === 'stripe' ? 'stripe' : 'author',
    })
    setOutcome(result)
    setOwned(result.owned)
    if (result.isOutdated) void askForProducts()
    return { isSaved: false, problems: result.problems }
  }

  function answerTypo(email: string) {
    setTypo(undefined)
    setKept(email)
    ref.current?.querySelector<HTMLInputElement>('[name="email"]')?.focus()
  }

  function buyAnother() {
    again.current = ref.current?.querySelector<HTMLInputElement>('[name="email"]')?.value.trim()
    setOwned(undefined)
    ref.current?.requestSubmit()
  }

  function clearQuestions() {
    setTypo(undefined)
    setOwned(undefined)
  }

  return {
    ...state,
    notice: state.isBusy ? undefined : outcome.notice,
    typo,
    answerTypo,
    owned,
    buyAnother,
    clearQuestions,
  }
}

type GuestFormProps = {
  state: ReturnType<typeof useGuestForm>
  product: Product
  price: number
  code: string | undefined
  terms: ShippingTerms | undefined
  /** The address of the entry that this browser has. */
  email?: string | undefined
  /** It stands before the button. */
  cancel?: ReactNode
  children?: ReactNode
}

export function GuestForm({ state, product, price, code, terms, email, cancel, children }: GuestFormProps) {
  const { form, isBusy, field, notice, typo, answerTypo, owned, buyAnother, clearQuestions } = state
  const posted = use(FormAnswerContext)
  const { consent } = useBookFacts().legal
  const isAlive = useIsAlive()
  const [country, setCountry] = useState(posted?.values['country'] ?? '')
  const asksConsent = product.is_digital && consent !== null && !isPreorder(product)
  const range = useShippingRange()
  const wrongCountry = field('country').problem
  const ofCountry = terms && (country ? shippingPrice(terms, country) : undefined)
  const ofRange = isOnePrice(range) ? range.max : undefined
  const shipping = terms ? ofCountry : product.ships ? ofRange : 0
  // The total does not follow a choice of a country where no scripts run.
  const total = shipping === undefined || (terms && !isAlive) ? undefined : sumOf(price, shipping)
  const seller = useSeller({ product, price })
  return (
    <form {...form} className="grid gap-5">
      {/* Another seller by now is refused. */}
      {seller === 'stripe' && <input type="hidden" name="seller" value={seller} readOnly />}
      {notice && (
        <p
          role="alert"
          className="rounded-md border border-danger/50 px-4 py-3 text-sm text-pretty text-danger"
        >
          {notice}
        </p>
      )}
      <Field
        label={guestTexts.email}
        type="email"
        autoComplete="email"
        inputMode="email"
        maxLength={254}
        defaultValue={email}
        {...field('email')}
        onChange={clearQuestions}
      />
      {typo && <Typo meant={typo} form={form.ref} onAnswer={answerTypo} />}
      {owned && <Owned order={owned} product={product} onAgain={buyAnother} />}
      {terms && (
        <>
          <CountryField
            countries={terms.countries}
            country={country}
            problem={country && wrongCountry === buyingTexts.chooseCountry ? undefined : wrongCountry}
            onChange={setCountry}
            {...(!isAlive && { priceOf: (code) => shippingPrice(terms, code) })}
          />
          {(isAlive || country) && <ShippingSum price={price} terms={terms} country={country || undefined} />}
        </>
      )}
      {asksConsent && (
        <ConsentField
          consent={consent}
          isGiven={posted?.values['consent'] === consent}
          problem={field('consent').problem}
        />
      )}
      <LettersBox ticked={posted?.values['letters']} />
      {children}
      <Buttons
        isBusy={isBusy}
        cancel={cancel}
        total={total}
        signInPath={`/auth?form=sign-in&next=${encodeURIComponent(chosenPath(product.id, code))}`}
      />
    </form>
  )
}

type ConsentFieldProps = { consent: string; isGiven: boolean; problem: string | undefined }

/** Its value is the text that was agreed to: the shop stores it. */
function ConsentField({ consent, isGiven, problem }: ConsentFieldProps) {
  const id = useId()
  return (
    <div>
      <label className="flex cursor-pointer gap-3 text-sm text-pretty">
        <input
          type="checkbox"
          required
          name="consent"
          value={consent}
          defaultChecked={isGiven}
          className="mt-0.5 size-5 shrink-0 accent-ink"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? id : undefined}
        />
        {consent}
      </label>
      {problem && (
        <p id={id} className="mt-2 text-sm text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}

type TypoProps = {
  meant: string
  form: { current: HTMLFormElement | null }
  onAnswer: (email: string) => void
}

function Typo({ meant, form, onAnswer }: TypoProps) {
  const field = () => form.current?.querySelector<HTMLInputElement>('[name="email"]')
  function take() {
    const email = field()
    if (email) email.value = meant
    onAnswer(meant)
  }
  return (
    <div role="alert" className="grid gap-3 rounded-md border border-gold/60 bg-gold/10 px-4 py-3">
      <p className="text-sm text-pretty break-words">{fill(guestTexts.didYouMean, { email: meant })}</p>
      <p className="flex flex-wrap gap-3 max-sm:*:grow">
        <Button look="outline" onClick={take}>
          {guestTexts.takeSuggested}
        </Button>
        <Button look="quiet" onClick={() => onAnswer(field()?.value.trim() ?? '')}>
          {guestTexts.keepTyped}
        </Button>
      </p>
    </div>
  )
}

type OwnedProps = { order: OwnedOrder; product: Product; onAgain: () => void }

function Owned({ order: { id, name, email }, product, onAgain }: OwnedProps) {
  const { ownedText, paidText } = buyingTexts
  return (
    <div role="alert" className="grid gap-3 rounded-md border border-gold/60 bg-gold/10 px-4 py-3">
      <p className="font-semibold">{buyingTexts.ownedTitle}</p>
      <p className="text-sm text-pretty break-words">
        {email && name
          ? fill(paidText, { product: name, email })
          : fill(ownedText, { product: product.name })}
      </p>
      <p className="flex flex-wrap gap-3 max-sm:*:grow">
        <ButtonLink to={`/purchase/${id}`} look="outline">
          {guestTexts.openPurchase}
        </ButtonLink>
        <Button look="quiet" onClick={onAgain}>
          {buyingTexts.buyAnother}
        </Button>
      </p>
    </div>
  )
}

type ButtonsProps = { isBusy: boolean; cancel: ReactNode; total: number | undefined; signInPath: string }

function Buttons({ isBusy, cancel, total, signInPath }: ButtonsProps) {
  const label = useContinueLabel(guestTexts.continue, total)
  const { claims } = useBookFacts()
  return (
    <>
      <p className="flex flex-wrap-reverse gap-3 *:grow">
        {cancel}
        <Button busy={isBusy} type="submit" aria-disabled={isBusy} data-busy={guestTexts.continuing}>
          {isBusy ? guestTexts.continuing : label}
        </Button>
      </p>
      {claims.refund && total !== 0 && <p className="text-center text-sm text-soft">{claims.refund}</p>}
      <p className="text-center text-sm">
        <Link to={signInPath} className="rounded-sm text-soft underline underline-offset-4 hover:text-ink">
          {guestTexts.haveAccount}
        </Link>
      </p>
    </>
  )
}

export function guestIntro(product: Product, sendsMail: boolean): string {
  const intro = introOf(product, sendsMail)
  return product.ships ? `${intro} ${guestTexts.introAddress}` : intro
}

function introOf(product: Product, sendsMail: boolean): string {
  if (isPreorder(product)) return sendsMail ? guestTexts.introPreorder : guestTexts.intro
  return product.is_digital && !product.release ? guestTexts.introFile : guestTexts.intro
}
