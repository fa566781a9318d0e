// The commands of `lectern`, and how each is used. In a checkout, `npm run admin --` takes the place of `lectern admin`.

export const usage = {
  start: `Usage: lectern start
       Opens the shop, with the settings of the environment and of the file .env in this folder.
       Its data are in ./data unless DATA_DIR says otherwise.`,
  admin: `Usage: lectern admin create EMAIL [--password PASSWORD]   an admin, verified at once
       lectern admin grant EMAIL [ROLE]                 admin, moderator or user; admin when not said
       lectern admin revoke EMAIL [ROLE]
       lectern admin reset-factor EMAIL                 for who has lost the second factor
       lectern admin list                               everybody who is more than a user
       lectern admin new-secret [--yes]                 gives the shop another secret`,
  check: `Usage: lectern check
       One line each: whether the settings are good, the database reachable and of the right version, the files
       present, the address reachable and https. Ends with 1 when something is wrong.`,
  demo: `Usage: lectern demo [--users N] [--purchases N] [--years N] [--force]
       Fills a shop with made-up users and purchases.`,
}

export type Command = keyof typeof usage

export function isCommand(text: string): text is Command {
  return Object.hasOwn(usage, text)
}
