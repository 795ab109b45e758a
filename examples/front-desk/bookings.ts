/** The clinic's own server, which the agent's action calls with `POST /appointments`, a name and a day. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

export interface Booking {
  name: string;
  day: string;
}

interface BookingServer {
  address: string;
  bookings: readonly Booking[];
  close(): void;
}

/** Port 0 picks any free port. */
export async function startBookings(port: number): Promise<BookingServer> {
  const bookings: Booking[] = [];
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.method !== 'POST' || request.url !== '/appointments')
      return answer(404, { error: 'unknown' });
    bookingOf(request).then(
      (booking) => {
        bookings.push(booking);
        answer(201, { booked: true, day: booking.day, at: '10:00' });
      },
      () => answer(400, { error: 'name and day are required' }),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    address: `127.0.0.1:${typeof address === 'object' ? address?.port : port}`,
    bookings,
    close: () => void server.close(),
  };
}

async function bookingOf(request: IncomingMessage): Promise<Booking> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { name, day } = JSON.parse(text) as Partial<Booking>;
  if (typeof name !== 'string' || typeof day !== 'string') throw new TypeError('no booking');
  return { name, day };
}
