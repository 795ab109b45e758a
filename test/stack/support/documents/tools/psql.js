/** Replaces `psql URL -c SQL`, because a test machine may lack psql. */
const { Client } = require('pg');

const [url, , sql] = process.argv.slice(2);
const client = new Client({ connectionString: url });
client
  .connect()
  .then(() => client.query(sql))
  .then((result) => console.log(JSON.stringify(result.rows)))
  .then(
    () => client.end(),
    (error) => {
      console.error(error.message);
      process.exit(1);
    },
  );
