// The usage of each command. A checkout runs `npm run admin --` instead of `lectern admin`.

export const usage = {
  start: `Usage: lectern start [--without-work]
       Opens the shop, with the settings of the environment and of the file .env in this folder.
       Its data are in ./data unless DATA_DIR says otherwise. With --without-work it answers requests and does nothing
       else: no email, no payment, no backup and no cleaning; \`lectern upgrade\` tries the next release so.`,
  admin: `Usage: lectern admin create EMAIL [--password PASSWORD]   an admin, verified at once
       lectern admin grant EMAIL [ROLE]                 admin, moderator or user; admin when not said
       lectern admin revoke EMAIL [ROLE]
       lectern admin reset-factor EMAIL                 when a user has lost it
       lectern admin reset-password EMAIL               prints a link to a new password; once, for an hour
       lectern admin list                               all users with a role
       lectern admin setup-link                         makes the first admin in the browser; for a day
       lectern admin new-secret [--yes]                 gives a stopped shop another secret, also when it is lost`,
  backup: `Usage: lectern backup
       Makes a backup into DATA_DIR/backups, and BACKUP_URL when it is set; also while the shop runs.`,
  restore: `Usage: lectern restore SOURCE [BACKUP] [--yes] [--without-damaged-files]
       Puts a backup in the place of the shop's data, while the shop is stopped (systemctl stop lectern.socket). SOURCE is a folder or an s3:// address
       with backups, BACKUP the name of one of them: the newest when not said. Without --yes it says what it would do.
       A damaged file stops it; with --without-damaged-files all else is restored, and the files to upload are listed.`,
  check: `Usage: lectern check [--json]
       One line each, with what to do: settings, data folder, disk, database, clock, files, storage, backups and their
       rehearsal, mail server, Stripe, a checkout of each format and the webhook, the address and its certificate. It
       sends no mail, changes nothing, and ends the checkouts that it opens at Stripe. Ends with 1 when something is
       wrong that stops sales, mail or saving.`,
  upgrade: `Usage: lectern upgrade FILE [--yes]
       As root, on a server that install.sh has set up: tries the release in FILE on a copy of the shop, and changes
       over only where it works there. Requests wait meanwhile; where that takes more than 15 s, it asks first. Run again
       after it was killed, it ends what was begun.`,
  uninstall: `Usage: lectern uninstall [--yes]
       As root, on a server that install.sh has set up: removes the package, its units and its site of Caddy. Settings
       and data stay, and it says where.`,
  tidy: `Usage: lectern tidy [--yes]
       Lists what restores, upgrades, uploads and the sample have left, with sizes and dates; with --yes deletes what may
       go. The data before a restore go 14 days after it, and only when there is a later good backup.`,
  demo: `Usage: lectern demo [--users N] [--purchases N] [--years N] [--force]
       Fills a shop with made-up users and purchases.`,
}

export type Command = keyof typeof usage

export function isCommand(text: string): text is Command {
  return Object.hasOwn(usage, text)
}
