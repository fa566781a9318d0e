import type { AccountsContext } from './accounts-context.ts'
import type { OwnAccount } from './contract/own-account.ts'

export function createOwnAccounts(context: AccountsContext) {
  return {
    get: (user_id: string) => getOwnAccount(context, user_id),
  }
}

async function getOwnAccount(
  { accounts }: Pick<AccountsContext, 'accounts'>,
  user_id: string,
): Promise<OwnAccount> {
  const { email, user_metadata, password_hash } = await accounts.getById(user_id)
  return {
    email,
    display_name: user_metadata.display_name ?? null,
    has_password: password_hash !== null,
  }
}
