// An island. Only pressing the button opens the gift, for mail scanners open links too.
import { useState } from 'react'
import { codePath } from '#contract/paths.ts'
import { fill } from '#words/texts.ts'
import { giftTexts } from '#words/gift.ts'
import { guestTexts } from '#words/guest.ts'
import type { ShownGift } from '#contract/delivery/gifts.ts'
import { pressLink } from '../../session/accounts.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { failure } from '../../notices/send.ts'
import { Cover } from '../../product/cover.tsx'
import { Message } from '../../page/message.tsx'
import { storedSession } from '../../session/session.ts'
import { saveTypedEmail } from '../../forms/typed-email.ts'
import { toast } from '../../notices/toasts.tsx'
import { readFragment, useLoaded } from '../../page/use-page.ts'
import { useSendsMail } from '../../shop.ts'

type GiftState = { state: 'found'; token: string; gift: ShownGift } | { state: 'over' } | { state: 'failed' }

const isOver = (error: unknown) => error instanceof ProblemError && [403, 422].includes(error.status)

/** The token is in the fragment, which browsers send to no server. */
async function loadGift(): Promise<GiftState> {
  const token = readFragment()
  if (!token) return { state: 'over' }
  try {
    return { state: 'found', token, gift: await responseOf(api.gifts.show.$post({ json: { token } })) }
  } catch (error) {
    return { state: isOver(error) ? 'over' : 'failed' }
  }
}

export function Gift() {
  const { loaded, reload } = useLoaded(loadGift)
  if (!loaded)
    return (
      <Message title={giftTexts.page} text={<span className="noscript:hidden">{giftTexts.loading}</span>} />
    )
  if (loaded.state === 'over') return <Over />
  if (loaded.state === 'failed')
    return (
      <Message title={giftTexts.notLoaded} text={giftTexts.notLoadedText}>
        <Button onClick={() => void reload()}>{giftTexts.tryAgain}</Button>
      </Message>
    )
  return <Wrapped key={loaded.token} token={loaded.token} gift={loaded.gift} />
}

function Over() {
  return (
    <Message title={giftTexts.over} text={giftTexts.overText} isAnswer>
      <ButtonLink to="/" look="outline">
        {guestTexts.backToBook}
      </ButtonLink>
    </Message>
  )
}

function Wrapped({ token, gift }: { token: string; gift: ShownGift }) {
  const sendsMail = useSendsMail()
  const [step, setStep] = useState<{ opened?: string; isOver?: boolean }>({})
  const [isBusy, setIsBusy] = useState(false)

  async function open() {
    setIsBusy(true)
    try {
      const { email, sign_in_token } = await responseOf(api.gifts.open.$post({ json: { token } }))
      const isSignedIn =
        storedSession()?.user.email?.toLowerCase() === email.toLowerCase() ||
        (sign_in_token !== null && (await pressLink('magiclink', sign_in_token)).problem === undefined)
      if (isSignedIn) location.replace('/dashboard')
      else setStep({ opened: email })
    } catch (error) {
      if (isOver(error)) setStep({ isOver: true })
      else toast(failure(giftTexts.openFailed, error))
    }
    setIsBusy(false)
  }

  if (step.isOver) return <Over />
  const { opened } = step
  if (opened)
    return (
      <Message title={giftTexts.isOpen} text={fill(giftTexts.isOpenText, { email: opened })} isAnswer>
        <ButtonLink
          to={sendsMail ? codePath : '/auth?next=/dashboard'}
          onClick={() => saveTypedEmail(opened)}
        >
          {giftTexts.signIn}
        </ButtonLink>
      </Message>
    )
  const { sender_name, product_name, is_digital, recipient_name, note } = gift
  return (
    <Message
      title={
        sender_name ? fill(giftTexts.from, { sender: sender_name, product: product_name }) : giftTexts.page
      }
      text={recipient_name ? fill(giftTexts.forName, { name: recipient_name }) : undefined}
    >
      <div aria-hidden className="w-32 overflow-hidden rounded-sm shadow-lg outline outline-cover-edge">
        <Cover sizes="8rem" className="block h-auto w-full" />
      </div>
      {note && (
        <blockquote className="max-w-prose font-display text-xl text-pretty wrap-anywhere whitespace-pre-line italic">
          {note}
        </blockquote>
      )}
      <p className="text-pretty text-soft">{is_digital ? giftTexts.opens : giftTexts.opensPrinted}</p>
      <Button disabled={isBusy} onClick={() => void open()}>
        {isBusy ? giftTexts.opening : giftTexts.open}
      </Button>
    </Message>
  )
}
