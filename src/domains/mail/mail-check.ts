// The check of the mail server: its answer to a login, and what that means.
import { ok, warn, wrong, type Verdict } from '#contract/checks.ts'
import { logInToMailServer } from '#platform/mail.ts'
import { explainRefusal } from './mail-trial.ts'

const cost = 'neither the email that confirms an account nor a receipt is sent'
const details = {
  effect: 'nobody new can confirm an account, and no receipt is sent',
  actions: [{ label: 'Set up email', to: '/admin/mails/settings' }],
}

export const noMailServer = warn(
  `email is not set up, so ${cost}`,
  'Enter a mail server under Mail settings, or set SMTP_URL. Until then you can read each email under Mail.',
  details,
)

/** Logs in, and sends nothing. */
export async function checkMail(services: Parameters<typeof logInToMailServer>[0]): Promise<Verdict> {
  try {
    if (!(await logInToMailServer(services))) return noMailServer
    return ok('the mail server accepts the shop’s login, so confirmations and receipts are sent')
  } catch (error) {
    const { answer, advice } = explainRefusal(error)
    return wrong(`the mail server refuses the shop, so ${cost}`, advice, { ...details, answer })
  }
}
