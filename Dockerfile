# Three stages: one builds the web application, one installs what the lock file says without the tools, the last carries both.
FROM node:24-bookworm-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY vite.config.ts tsconfig.json tsconfig.web.json ./
COPY src ./src
COPY web ./web
RUN npm run web

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings Node 24 itself; the pinned Node packages are for machines that do not.
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/node-win-* node_modules/.bin/node

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 RATEBOOK_DATA=/data
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json LICENSE README.md ./
COPY bin ./bin
COPY data ./data
COPY --from=web /app/dist ./dist
COPY src ./src
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Straight to node, so that stop signals reach it.
ENTRYPOINT ["node", "bin/ratebook.js"]
CMD ["serve"]
