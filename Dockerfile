# The bot in a container: docs/deploy.md. Nothing of yours is in it: settings, policy and ledger come from outside.

FROM node:24-slim AS program
WORKDIR /srv/proxy-desk
COPY package.json package-lock.json ./
# No library that is shipped has to run anything when it is installed; a test holds that.
RUN npm ci --omit=dev --ignore-scripts
COPY deploy/build.ts deploy/build.ts
COPY src src
COPY views views
COPY commands commands
RUN npm run build
# What it was built with is not needed any more.
RUN rm -r node_modules/rolldown node_modules/@rolldown

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /srv/proxy-desk
COPY --from=program /srv/proxy-desk ./
COPY manifest.yml ./
# The place for the ledger. DATABASE_URL is left out on purpose: where nobody has set it the bot refuses to start,
# rather than begin a ledger that goes with the container.
RUN install -d -o node -g node -m 700 /var/lib/proxy-desk
USER node
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# As `npm start` does it, without a shell or npm in between: SIGTERM reaches the bot itself.
# Arguments are commands: docker run … ledger list
ENTRYPOINT ["node", "--require", "./src/node-version.cjs", "--disable-sigusr1", "src/proxy-desk.cjs"]
