# Stands in for node:<version>-bookworm-slim. Node and npm come from their packages in npm's registry.
FROM compose-test/bookworm
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY authorities.pem /usr/local/share/authorities.pem
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx \
  && useradd --create-home --uid 1000 node
ARG REGISTRY
ARG AUTHORITIES
ENV NPM_CONFIG_REGISTRY=$REGISTRY NODE_EXTRA_CA_CERTS=$AUTHORITIES
CMD ["node"]
